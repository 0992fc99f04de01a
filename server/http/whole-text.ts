/** Keeps a code point in one piece when a model or a command cuts it between two chunks (W8). */

interface Piece {
  readonly offset: number
  readonly text: string
}

/**
 * Holds back a trailing high surrogate until its other half arrives; the next piece then starts one unit earlier.
 * One instance serves all readers, and `withoutHalf` gives a reader that joins later the same view.
 */
export class WholeText {
  readonly #held = new Map<string, { readonly end: number; readonly unit: string }>()

  /** The piece to send now, or undefined when it was one half only. @param key names the block. */
  take<T extends Piece>(key: string, piece: T): T | undefined {
    const held = this.#held.get(key)
    if (held) this.#held.delete(key)
    const joined =
      held && held.end === piece.offset ? { ...piece, offset: piece.offset - 1, text: held.unit + piece.text } : piece
    const whole = withoutHalf(joined.text)
    if (whole.length === joined.text.length) return joined
    this.#held.set(key, { end: joined.offset + joined.text.length, unit: joined.text.slice(-1) })
    return whole === '' && joined.offset > 0 ? undefined : { ...joined, text: whole }
  }

  /** Forgets what is held for blocks whose key starts so. */
  forget(prefix: string): void {
    for (const key of this.#held.keys()) if (key.startsWith(prefix)) this.#held.delete(key)
  }
}

/** The text without a high surrogate at its end. */
export function withoutHalf(text: string): string {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text
}
