/** Log lines for the operator, on standard error. `BELAY_LOG` sets the level; an abort is never an error line (C12). */
import pino from 'pino'
import type { RuntimeLogger } from '@/server/runtime/ports'

export function createLogger(level = process.env.BELAY_LOG ?? 'warn'): RuntimeLogger {
  const known = level in pino.levels.values || level === 'silent' ? level : 'warn'
  const logger = pino({ level: known, base: null }, pino.destination({ dest: 2, sync: true }))
  return {
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
  }
}
