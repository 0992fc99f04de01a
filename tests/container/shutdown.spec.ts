import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { placeOf, restDeadline, Shutdown, samePress } from '@/server/shutdown'
import { type Moment, moment } from '../runtime/support/moments'

function given(rest: Moment = moment(), place: keyof typeof samePress = 'alone') {
  const did: string[] = []
  const shutdown = new Shutdown(
    {
      stopAccepting: () => did.push('stop accepting'),
      disposeAll: () => {
        did.push('dispose')
        return rest.reached
      },
      closeStreams: () => did.push('goodbye'),
      close: () => did.push('close'),
      endAllCommands: () => did.push('kill commands'),
      warn: () => did.push('warn'),
      say: () => undefined,
      exit: (code) => did.push(`exit ${code}`),
    },
    place,
  )
  return { shutdown, did, rest }
}

describe('a signal', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it('R3: the first ends what runs, says goodbye, lets go of the data, and exits with 0', async () => {
    const { shutdown, did, rest } = given()
    shutdown.signal('SIGTERM')
    expect(did).toEqual(['stop accepting', 'dispose'])
    rest.reach()
    await vi.advanceTimersByTimeAsync(100)
    expect(did).toEqual(['stop accepting', 'dispose', 'goodbye', 'close', 'kill commands', 'exit 0'])
  })

  it('R3: what does not come to rest does not hold the exit: within 5 s, with its processes killed', async () => {
    const { shutdown, did } = given()
    shutdown.signal('SIGINT')
    await vi.advanceTimersByTimeAsync(restDeadline - 1)
    expect(did).not.toContain('goodbye')
    await vi.advanceTimersByTimeAsync(5000 - restDeadline)
    expect(did).toEqual(['stop accepting', 'dispose', 'warn', 'goodbye', 'close', 'kill commands', 'exit 0'])
  })

  it('R3: the second exits at once and kills what the first was waiting for', async () => {
    const { shutdown, did } = given()
    shutdown.signal('SIGINT')
    shutdown.signal('SIGINT')
    expect(did).toEqual(['stop accepting', 'dispose', 'kill commands', 'exit 130'])
  })

  it('R3: another signal is never the same key press, also behind npm', () => {
    const { shutdown, did } = given(moment(), 'behindNpm')
    shutdown.signal('SIGTERM')
    shutdown.signal('SIGINT')
    expect(did).toContain('exit 130')
  })

  it('R3: one key press that npm passes on a second time is one signal, and a later press still counts', async () => {
    const { shutdown, did } = given(moment(), 'behindNpm')
    shutdown.signal('SIGINT')
    await vi.advanceTimersByTimeAsync(samePress.behindNpm - 10)
    shutdown.signal('SIGINT')
    expect(did).not.toContain('exit 130')
    await vi.advanceTimersByTimeAsync(20)
    shutdown.signal('SIGINT')
    expect(did).toContain('exit 130')
  })

  it('R3: only npm start in a terminal gets one press twice', () => {
    expect(placeOf({ npm_lifecycle_event: 'start' }, true)).toBe('behindNpm')
    expect(placeOf({ npm_lifecycle_event: 'start' }, false)).toBe('alone')
    expect(placeOf({ npm_lifecycle_event: 'test' }, true)).toBe('alone')
    expect(placeOf({}, true)).toBe('alone')
  })

  it('R3: a disposal that fails still ends the process', async () => {
    const { shutdown, did, rest } = given({ reached: Promise.reject(new Error('broken')), reach: () => undefined })
    shutdown.signal('SIGTERM')
    await vi.advanceTimersByTimeAsync(100)
    expect(did.at(-1)).toBe('exit 1')
    rest.reach()
  })
})
