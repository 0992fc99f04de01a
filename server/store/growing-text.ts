/** One growing text: what is live of it, and what of it is not on disk yet. Offsets count UTF-16 units. */

export class GrowingText {
  #text = ''
  #written = 0
  #held = ''

  get text(): string {
    return this.#text
  }
  get unwritten(): boolean {
    return this.#written < this.#text.length
  }

  /** Returns the piece to announce and its offset. Half a character waits for its other half, so that no frame tears one (W8). */
  append(text: string): { readonly offset: number; readonly text: string } | undefined {
    const joined = this.#held + text
    const last = joined.charCodeAt(joined.length - 1)
    const torn = last >= 0xd800 && last <= 0xdbff
    this.#held = torn ? joined.slice(-1) : ''
    return this.#grow(torn ? joined.slice(0, -1) : joined)
  }

  /** No more comes: half a character is all there is. */
  end(): { readonly offset: number; readonly text: string } | undefined {
    const held = this.#held
    this.#held = ''
    return this.#grow(held)
  }

  /** Starts anew with another text, as if nothing had been written. */
  replace(text: string): void {
    this.#text = text
    this.#written = 0
  }

  /** The piece that is not on disk yet. */
  pending(): string {
    return this.#text.slice(this.#written)
  }

  /** `pending` as it was is on disk now; nothing may have been appended between the two. */
  written(): void {
    this.#written = this.#text.length
  }

  #grow(text: string): { readonly offset: number; readonly text: string } | undefined {
    if (text === '') return undefined
    const offset = this.#text.length
    this.#text += text
    return { offset, text }
  }
}
