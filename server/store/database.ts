/** Opens Belay's data file: checks it, brings its schema up to date, and hands out its two connections. */
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { checkFile } from './check-file'
import { Connection } from './connection'
import { applicationId, migrations } from './migrations'
import { storeErrorOf } from './store-error'

export interface Database {
  readonly file: string
  /** For the log: a commit survives a power cut (L5). */
  readonly log: Connection
  /** For drafts: a commit survives `kill -9`, and is cheap enough for five a second (L6). */
  readonly drafts: Connection
  close(): void
}

/**
 * Opens or creates `file` (mode 0600: it holds everything that was said).
 * @throws StoreError in words for a person. A damaged, foreign or newer file is byte for byte what it was before (L7).
 */
export function openDatabase(file: string): Database {
  checkFile(file)
  create(file)
  const log = Connection.open(file, { survives: 'power-loss' })
  try {
    migrate(log)
    const drafts = Connection.open(file, { survives: 'process-death' })
    return { file, log, drafts, close: () => close(log, drafts) }
  } catch (error) {
    log.close()
    throw error
  }
}

function create(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    throw storeErrorOf(error, file)
  }
}

function migrate(log: Connection): void {
  const version = Number(log.value('PRAGMA user_version'))
  if (version === migrations.length) return
  log.transaction(() => {
    for (const step of migrations.slice(version)) log.exec(step)
    log.exec(`PRAGMA application_id = ${applicationId}`)
    log.exec(`PRAGMA user_version = ${migrations.length}`)
  })
}

function close(log: Connection, drafts: Connection): void {
  drafts.close()
  try {
    log.value('PRAGMA wal_checkpoint(TRUNCATE)') // the file alone is then the whole store
  } catch {
    // a full disk: the write-ahead log stays beside the file, and the next start reads both
  }
  log.close()
}
