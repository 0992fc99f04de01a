/** An EventLog in memory that validates like the real one and can be told to refuse or to flush slowly. */
import type { EventData, EventOf, EventType, NewEvent, SessionEvent } from '@/lib/contract/events'
import { sessionEventSchema } from '@/lib/contract/events'
import type { SessionId } from '@/lib/contract/ids'
import type { Clock, EventLog } from '@/server/runtime/ports'

export class MemoryLog implements EventLog {
  readonly events: SessionEvent[] = []
  readonly #texts = new Map<string, string>()
  /** Refuses an append when it returns true. */
  refuses: (events: readonly NewEvent[]) => boolean = () => false
  /** What a flush waits for. */
  flushing: (signal: AbortSignal) => Promise<void> = () => Promise.resolve()

  constructor(private readonly clock: Clock) {}

  append(sessionId: SessionId, events: readonly NewEvent[]): readonly SessionEvent[] {
    if (this.refuses(events)) throw new Error('the disk is full')
    const seq = this.events.filter((event) => event.sessionId === sessionId).length
    const stored = events.map((event, index) =>
      sessionEventSchema.parse(
        JSON.parse(
          JSON.stringify({
            position: this.events.length + index + 1,
            seq: seq + index + 1,
            sessionId,
            at: this.clock.now().toISOString(),
            ...event,
          }),
        ),
      ),
    )
    this.events.push(...stored)
    return stored
  }

  read(sessionId: SessionId): Iterable<SessionEvent> {
    return this.events.filter((event) => event.sessionId === sessionId)
  }

  flush(_sessionId: SessionId, signal: AbortSignal): Promise<void> {
    return this.flushing(signal)
  }

  putText(text: string): string {
    const hash = `h${text.length}-${[...this.#texts.values()].indexOf(text) + 1 || this.#texts.size + 1}`
    this.#texts.set(hash, text)
    return hash
  }

  text(hash: string): string | undefined {
    return this.#texts.get(hash)
  }

  /** The data of every event of one type, in order. */
  all<T extends EventType>(type: T): EventData<T>[] {
    return this.events
      .filter((event): event is EventOf<T> => event.type === type)
      .map((event) => event.data as EventData<T>)
  }

  /** The data of the newest event of one type. @throws Error when there is none */
  last<T extends EventType>(type: T): EventData<T> {
    const data = this.all(type).at(-1)
    if (!data) throw new Error(`no ${type} in the log; it has: ${this.types().join(', ')}`)
    return data
  }

  types(): EventType[] {
    return this.events.map((event) => event.type)
  }
}
