/** Who asked a turn to end: the closed union of C1 and the one border that lets a value become one (C2). */

export type AgentCancelCause = { readonly kind: 'user' } | { readonly kind: 'parent' }

/** What a turn's signal can carry as its reason. `disposed` is runtime-only: nobody outside may ask for it (C17). */
export type AgentInterruptReason = AgentCancelCause | { readonly kind: 'disposed' }

const acceptedKinds: ReadonlySet<unknown> = new Set(['user', 'parent'])

/**
 * Turns what a caller handed over into a new, frozen cause that shares nothing with it; `undefined` means `user` (C1, C2).
 * @throws TypeError on anything but a plain or null-prototype object whose only own property is an enumerable data property `kind` of a known value.
 */
export function normalizeCancelCause(value: unknown): AgentCancelCause {
  if (value === undefined) return Object.freeze({ kind: 'user' })
  if (typeof value !== 'object' || value === null) throw refused()
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) throw refused()
  const keys = Reflect.ownKeys(value)
  if (keys.length !== 1 || keys[0] !== 'kind') throw refused()
  const kind = Object.getOwnPropertyDescriptor(value, 'kind')
  if (!kind?.enumerable || !('value' in kind) || !acceptedKinds.has(kind.value)) throw refused()
  return Object.freeze({ kind: kind.value as AgentCancelCause['kind'] })
}

/** Reads the kind of interruption from the signal it is given and from nothing else; a foreign reason is no kind (C17). */
export function agentInterruptReasonOf(signal: AbortSignal): AgentInterruptReason['kind'] | undefined {
  if (!signal.aborted) return undefined
  const reason: unknown = signal.reason
  if (typeof reason !== 'object' || reason === null || !Object.isFrozen(reason)) return undefined
  const kind = Object.getOwnPropertyDescriptor(reason, 'kind')?.value as unknown
  return kind === 'user' || kind === 'parent' || kind === 'disposed' ? kind : undefined
}

function refused(): TypeError {
  return new TypeError('A cancel cause is {kind: "user"} or {kind: "parent"} and nothing else.')
}
