/** What is known about the way to the server, and what tabs and the hub say to each other. */
import type { SessionId } from '@/lib/contract/ids'
import type { Frame } from '@/lib/contract/stream'

/** Part of the worker's address: a page of a newer Belay does not talk to the worker of an older one. Raise it with every change below. */
export const hubVersion = 2

export type ConnectionStatus =
  | { readonly state: 'connecting' }
  | { readonly state: 'open'; readonly runtimeId: string }
  | {
      readonly state: 'lost'
      /** Epoch milliseconds. */
      readonly since: number
      /** Epoch milliseconds of the next try; null while a try is under way. */
      readonly retryAt: number | null
      /** `goodbye`: the server said that it is going down. */
      readonly why: 'goodbye' | 'no-answer'
    }

/** What a tab asks of the hub. */
export type ToHub =
  /** The sessions this tab shows from now on. Answered by `covers` with the same ticket when a stream opened after it is up. */
  | { readonly type: 'watch'; readonly sessions: readonly SessionId[]; readonly ticket: number }
  /** A delta did not fit: open the stream again, drafts come from offset 0 (W7). */
  | { readonly type: 'resync' }
  | { readonly type: 'retry-now' }
  /** The name of a Web Lock that this tab holds as long as it lives; said once it holds it. */
  | { readonly type: 'alive'; readonly lock: string }
  | { readonly type: 'bye' }

/** What the hub tells a tab. */
export type ToTab =
  | { readonly type: 'frames'; readonly frames: readonly Frame[] }
  | { readonly type: 'status'; readonly status: ConnectionStatus }
  | { readonly type: 'covers'; readonly ticket: number }
  /** Another server process, or another store: nothing known can be trusted (W6 `reset`). */
  | { readonly type: 'refetch' }
