/** The words of all turns, ready to be searched: a row for each event, and a trigram index over them. */
import type { SessionEvent } from '@/lib/contract/events'
import type { SessionId } from '@/lib/contract/ids'
import { turnIdOf } from '@/lib/projection/turn-row'
import type { Connection, Statement } from './connection'
import { foldForSearch, searchTextOf } from './search-text'

export class SearchIndex {
  readonly #addText: Statement<[]>
  readonly #addToIndex: Statement<[]>
  readonly #removeFromIndex: Statement<[]>
  readonly #removeTexts: Statement<[]>

  constructor(connection: Connection) {
    this.#addText = connection.prepare('INSERT INTO search_texts (session_id, turn_id, seq, body) VALUES (?, ?, ?, ?)')
    this.#addToIndex = connection.prepare('INSERT INTO search_index (rowid, body) VALUES (?, ?)')
    this.#removeFromIndex = connection.prepare(
      "INSERT INTO search_index (search_index, rowid, body) SELECT 'delete', id, body FROM search_texts WHERE session_id = ?",
    )
    this.#removeTexts = connection.prepare('DELETE FROM search_texts WHERE session_id = ?')
  }

  /** Call it inside the append's transaction. */
  add(event: SessionEvent): void {
    const turnId = turnIdOf(event)
    const text = searchTextOf(event)
    if (turnId === null || text === '') return
    const body = foldForSearch(text)
    const { lastId } = this.#addText.run(event.sessionId, turnId, event.seq, body)
    this.#addToIndex.run(lastId, body)
  }

  /** Call it inside the removal's transaction. */
  removeSession(sessionId: SessionId): void {
    this.#removeFromIndex.run(sessionId)
    this.#removeTexts.run(sessionId)
  }
}

/** The FTS5 query that finds `folded` as a substring, whatever signs it is made of. Needs three characters or more. */
export function trigramQuery(folded: string): string {
  return `"${folded.replaceAll('"', '""')}"`
}
