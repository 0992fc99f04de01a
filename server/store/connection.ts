/** One connection to the data file, with prepared statements. The only file that knows the driver (STACK.md, store). */
import Libsql from 'libsql'
import { storeErrorOf } from './store-error'

export type SqlValue = string | number | null | Uint8Array

/** A prepared statement. Rows come as arrays of their columns, in the order of the SELECT. */
export interface Statement<Row extends readonly SqlValue[]> {
  all(...values: readonly SqlValue[]): Row[]
  one(...values: readonly SqlValue[]): Row | undefined
  /** Returns how many rows changed and the last row id. */
  run(...values: readonly SqlValue[]): { readonly changes: number; readonly lastId: number }
}

export interface ConnectionOptions {
  /** `power-loss`: a commit is on disk when it returns. `process-death`: it outlives the process, not the machine. */
  readonly survives: 'power-loss' | 'process-death'
}

export class Connection {
  readonly #driver: Libsql.Database

  private constructor(
    readonly file: string,
    name: string,
  ) {
    try {
      this.#driver = new Libsql(name, { timeout: 5000 })
    } catch (error) {
      throw storeErrorOf(error, file)
    }
  }

  /** Opens for reading and writing. The file must have been checked before (`check-file.ts`). @throws StoreError */
  static open(file: string, { survives }: ConnectionOptions): Connection {
    const connection = new Connection(file, file)
    connection.exec('PRAGMA journal_mode = WAL')
    connection.exec(`PRAGMA synchronous = ${survives === 'power-loss' ? 'FULL' : 'NORMAL'}`)
    return connection
  }

  /** Opens so that no byte of the file can change. @throws StoreError */
  static openReadOnly(file: string): Connection {
    return new Connection(file, `file:${encodeURI(file).replace(/[?#]/g, encodeURIComponent)}?mode=ro`)
  }

  /** @throws StoreError */
  exec(sql: string): void {
    this.#guarded(() => this.#driver.exec(sql))
  }

  /** @throws StoreError */
  prepare<Row extends readonly SqlValue[] = []>(sql: string): Statement<Row> {
    const statement = this.#guarded(() => this.#driver.prepare(sql))
    const raw = this.#guarded(() => (statement.reader ? statement.raw() : statement))
    return {
      all: (...values) => this.#guarded(() => raw.all(values) as Row[]),
      one: (...values) => this.#guarded(() => (raw.get(values) as Row | undefined) ?? undefined),
      run: (...values) =>
        this.#guarded(() => {
          const { changes, lastInsertRowid } = raw.run(values)
          return { changes, lastId: Number(lastInsertRowid) }
        }),
    }
  }

  /** One column of one row: for pragmas and counts. */
  value(sql: string): SqlValue {
    return this.prepare<[SqlValue]>(sql).one()?.[0] ?? null
  }

  /** All or nothing. What `work` throws is thrown on, after the roll-back. @throws StoreError when the commit fails. */
  transaction<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.exec('COMMIT')
      return result
    } catch (error) {
      if (this.#driver.inTransaction) this.exec('ROLLBACK') // a full disk has rolled back by itself
      throw error
    }
  }

  close(): void {
    if (this.#driver.open) this.#driver.close()
  }

  #guarded<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw storeErrorOf(error, this.file)
    }
  }
}
