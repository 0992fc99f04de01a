/** Decides whether a data file may be opened for writing, without changing a byte of it (L7). */
import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { Connection } from './connection'
import { applicationId, migrations } from './migrations'
import { corrupt, StoreError, storeErrorOf } from './store-error'

const magic = 'SQLite format 3\0'
/** Up to this size every page is looked at; beyond it only the tables that a start needs, so that a start stays quick. */
const wholeCheckBytes = 8 * 1024 * 1024

/** @throws StoreError `corrupt`, `newer-schema`, `foreign` or `not-writable`. A missing or empty file is fine: it is new. */
export function checkFile(file: string): void {
  const size = sizeOf(file)
  if (size === 0) return
  if (headOf(file) !== magic) throw corrupt(file)
  const leftovers = ['-wal', '-shm'].map((suffix) => file + suffix).filter((path) => !existsSync(path))
  try {
    const connection = Connection.openReadOnly(file)
    try {
      checkContent(connection, size)
    } finally {
      connection.close()
    }
  } catch (error) {
    for (const path of leftovers) rmSync(path, { force: true })
    throw error
  }
}

function checkContent(connection: Connection, size: number): void {
  const { file } = connection
  const version = Number(connection.value('PRAGMA user_version'))
  const tables = Number(connection.value('SELECT count(*) FROM sqlite_master'))
  const owner = Number(connection.value('PRAGMA application_id'))
  if (owner !== applicationId && (version !== 0 || tables !== 0)) {
    throw new StoreError('foreign', `${file} is the database of another program. It was left as it is.`)
  }
  if (version > migrations.length) {
    throw new StoreError(
      'newer-schema',
      `${file} was written by a newer Belay (schema ${version}; this one knows ${migrations.length}). It was left as it is: start the newer Belay, or choose another BELAY_HOME.`,
    )
  }
  if (version === 0) return
  const verdict = connection.value(size <= wholeCheckBytes ? 'PRAGMA quick_check(1)' : "PRAGMA quick_check('sessions')")
  if (verdict !== 'ok') throw corrupt(file)
  connection.value('SELECT max(position) FROM events')
}

function sizeOf(file: string): number {
  try {
    return existsSync(file) ? statSync(file).size : 0
  } catch (error) {
    throw storeErrorOf(error, file)
  }
}

function headOf(file: string): string {
  try {
    const handle = openSync(file, 'r')
    try {
      const head = Buffer.alloc(magic.length)
      readSync(handle, head, 0, magic.length, 0)
      return head.toString('latin1')
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    throw storeErrorOf(error, file)
  }
}
