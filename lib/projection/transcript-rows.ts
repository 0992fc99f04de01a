/** The transcript laid out as the flat rows of a virtual list. A row keeps its identity as long as what it shows is the same. */
import { assertNever } from '@/lib/contract/assert-never'
import type { EventData } from '@/lib/contract/events'
import type { TurnId } from '@/lib/contract/ids'
import { codeOf, type TextChunk } from './transcript-text'
import type {
  CompactionItem,
  MessageItem,
  NoteItem,
  ReasoningItem,
  RetryItem,
  TextItem,
  ToolItem,
  Transcript,
  TurnItem,
  TurnView,
} from './transcript-view'

export type Row =
  | {
      readonly kind: 'origin'
      readonly key: string
      readonly turnId: null
      readonly created: EventData<'session.created'>
    }
  | {
      readonly kind: 'replaced'
      readonly key: string
      readonly turnId: TurnId
      readonly turn: TurnView
      readonly open: boolean
    }
  | { readonly kind: 'message'; readonly key: string; readonly turnId: TurnId; readonly item: MessageItem }
  | ChunkRow
  | { readonly kind: 'reasoning'; readonly key: string; readonly turnId: TurnId; readonly item: ReasoningItem }
  | { readonly kind: 'tool'; readonly key: string; readonly turnId: TurnId; readonly item: ToolItem }
  | { readonly kind: 'retry'; readonly key: string; readonly turnId: TurnId; readonly item: RetryItem }
  | { readonly kind: 'note'; readonly key: string; readonly turnId: TurnId | null; readonly item: NoteItem }
  | { readonly kind: 'compaction'; readonly key: string; readonly turnId: TurnId; readonly item: CompactionItem }
  | {
      readonly kind: 'working'
      readonly key: string
      readonly turnId: TurnId
      readonly stopping: boolean
      readonly startedAt: string
    }
  | { readonly kind: 'footer'; readonly key: string; readonly turnId: TurnId; readonly turn: TurnView }

/** One piece of an answer. */
export interface ChunkRow {
  readonly kind: 'chunk'
  readonly key: string
  readonly turnId: TurnId
  readonly chunk: TextChunk
  /** More of it may come: half-written markdown is mended. */
  readonly growing: boolean
}

/** Lays out every turn. `open` holds the keys of what a person has unfolded. */
export function rowsOf(transcript: Transcript, open: ReadonlySet<string>): readonly Row[] {
  const rows: Row[] = []
  if (transcript.created) rows.push(originRow(transcript.created))
  for (const note of transcript.preface) rows.push(...itemRows(note, null))
  for (const turn of transcript.turns) {
    if (turn.replacedBy === null) {
      rows.push(...turnRows(turn))
      continue
    }
    const isOpen = open.has(replacedKey(turn.turnId))
    rows.push(replacedRow(turn, isOpen))
    if (isOpen) rows.push(...turnRows(turn))
  }
  return rows
}

/** The key under which a replaced turn is unfolded. */
export function replacedKey(turnId: TurnId): string {
  return `replaced:${turnId}`
}

/** The whole code block of which the row `rowKey` shows a piece; empty when there is none. */
export function codeOfRow(turn: TurnView, rowKey: string): string {
  for (const item of turn.items) {
    if (item.kind !== 'text' || !rowKey.startsWith(`${item.key}:`)) continue
    const { chunks } = item.flow
    let from = Number(rowKey.slice(item.key.length + 1))
    while (from > 0 && chunks[from]?.kind === 'code' && !chunks[from]?.first) from -= 1
    const pieces: string[] = []
    for (const chunk of chunks.slice(from)) {
      if (chunk.kind !== 'code') break
      pieces.push(codeOf(chunk))
      if (chunk.last) break
    }
    return pieces.join('\n')
  }
  return ''
}

const rowsByTurn = new WeakMap<TurnView, readonly Row[]>()
const rowsByItem = new WeakMap<TurnItem, readonly Row[]>()
const rowByChunk = new WeakMap<TextChunk, ChunkRow>()
const replacedByTurn = new WeakMap<TurnView, Map<boolean, Row>>()
const originByData = new WeakMap<object, Row>()

function turnRows(turn: TurnView): readonly Row[] {
  return memo(rowsByTurn, turn, () => {
    const rows = turn.items.flatMap((item) => itemRows(item, turn.turnId))
    rows.push(endRow(turn))
    return rows
  })
}

function endRow(turn: TurnView): Row {
  const { turnId } = turn
  if (turn.state === 'ended') return { kind: 'footer', key: `${turnId}:end`, turnId, turn }
  return {
    kind: 'working',
    key: `${turnId}:end`,
    turnId,
    stopping: turn.state === 'stopping',
    startedAt: turn.startedAt,
  }
}

function itemRows(item: TurnItem, turnId: null): readonly Extract<Row, { kind: 'note' }>[]
function itemRows(item: TurnItem, turnId: TurnId): readonly Row[]
function itemRows(item: TurnItem, turnId: TurnId | null): readonly Row[] {
  return memo(rowsByItem, item, () => newItemRows(item, turnId))
}

function newItemRows(item: TurnItem, turnId: TurnId | null): readonly Row[] {
  if (item.kind === 'note') return [{ kind: 'note', key: item.key, turnId, item }]
  if (turnId === null) return []
  switch (item.kind) {
    case 'text':
      return item.flow.chunks.map((chunk, index) => chunkRow(item, chunk, index, turnId))
    case 'message':
      return [{ kind: 'message', key: item.key, turnId, item }]
    case 'reasoning':
      return [{ kind: 'reasoning', key: item.key, turnId, item }]
    case 'tool':
      return [{ kind: 'tool', key: item.key, turnId, item }]
    case 'retry':
      return [{ kind: 'retry', key: item.key, turnId, item }]
    case 'compaction':
      return [{ kind: 'compaction', key: item.key, turnId, item }]
    default:
      return assertNever(item)
  }
}

function chunkRow(item: TextItem, chunk: TextChunk, index: number, turnId: TurnId): ChunkRow {
  const growing = item.live && index === item.flow.chunks.length - 1
  const known = rowByChunk.get(chunk)
  if (known && known.growing === growing) return known
  const row: ChunkRow = { kind: 'chunk', key: `${item.key}:${index}`, turnId, chunk, growing }
  rowByChunk.set(chunk, row)
  return row
}

function replacedRow(turn: TurnView, open: boolean): Row {
  const { turnId } = turn
  const both = memo(replacedByTurn, turn, () => new Map<boolean, Row>())
  const known = both.get(open)
  if (known) return known
  const row: Row = { kind: 'replaced', key: replacedKey(turnId), turnId, turn, open }
  both.set(open, row)
  return row
}

function originRow(created: EventData<'session.created'>): Row {
  return memo(originByData, created, () => ({ kind: 'origin', key: 'origin', turnId: null, created }))
}

function memo<K extends object, V>(cache: WeakMap<K, V>, key: K, make: () => V): V {
  const known = cache.get(key)
  if (known !== undefined) return known
  const made = make()
  cache.set(key, made)
  return made
}
