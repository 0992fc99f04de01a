/**
 * Where the transcript's view stands: it follows the newest only while a person is near the end; scrolled up, it stays where it is,
 * whatever grows (U9, S-M3). Growth of the composer moves nothing.
 */

/** Within this distance (px) of the end a view counts as being there. */
const nearEnd = 32
/** A scroll counts as the person's when a wheel, finger, key or drag came at most this long (ms) before. */
const handWithin = 1_000

export class Follower {
  readonly #box: HTMLElement
  readonly #changed: (following: boolean) => void
  readonly #undo: (() => void)[] = []
  #following: boolean
  #top = 0
  #handAt = Number.NEGATIVE_INFINITY
  #dragging = false
  /** Pixels from the top of the window; null while no finger is on the view. */
  #fingerY: number | null = null
  #endIsNewest = true

  /** `box` scrolls, `inner` holds everything in it. `changed` hears of every change of following. */
  constructor(box: HTMLElement, inner: HTMLElement, following: boolean, changed: (following: boolean) => void) {
    this.#box = box
    this.#following = following
    this.#changed = changed
    // Only the content: a composer that grows makes the box smaller and moves nothing.
    const observer = new ResizeObserver(() => this.#pin())
    observer.observe(inner)
    this.#undo.push(() => observer.disconnect())
    // A row grows before the list has measured it: the end is kept in sight in the same frame already.
    const grown = new MutationObserver(() => this.#pin())
    grown.observe(inner, { subtree: true, childList: true, characterData: true })
    this.#undo.push(() => grown.disconnect())
    this.#on(box, 'wheel', (event) => this.#wheel(event))
    this.#on(box, 'touchstart', (event) => this.#finger(event, 'down'))
    this.#on(box, 'touchmove', (event) => this.#finger(event, 'moves'))
    this.#on(box, 'touchend', () => this.#drag(false))
    this.#on(box, 'touchcancel', () => this.#drag(false))
    this.#on(box, 'pointerdown', () => this.#drag(true))
    this.#on(window, 'pointerup', () => this.#dragging && this.#drag(false))
    this.#on(box, 'keydown', (event) => this.#key(event))
    this.#on(box, 'scroll', () => this.#scrolled())
    this.#pin()
  }

  /** Goes to the end and follows from there. */
  toEnd(): void {
    this.#set(true)
    this.#pin()
  }

  /** Stops following, because something else is to be looked at. */
  rest(): void {
    this.#set(false)
  }

  /** Says whether the end of what is shown is the newest there is: the end of an older part is not one to follow. */
  endIsNewest(isNewest: boolean): void {
    this.#endIsNewest = isNewest
  }

  /** Removes every listener. */
  leave(): void {
    for (const undo of this.#undo) undo()
  }

  #on<K extends keyof WindowEventMap>(target: HTMLElement | Window, type: K, run: (event: WindowEventMap[K]) => void) {
    const listener = run as EventListener
    target.addEventListener(type, listener, { passive: true })
    this.#undo.push(() => target.removeEventListener(type, listener))
  }

  #set(following: boolean): void {
    if (this.#following === following) return
    this.#following = following
    this.#changed(following)
  }

  #pin(): void {
    if (!this.#following) return
    this.#box.scrollTop = this.#box.scrollHeight
    if (this.#isByHand(performance.now())) this.#top = this.#box.scrollTop
  }

  #hand(): void {
    this.#handAt = performance.now()
    this.#top = this.#box.scrollTop
  }

  #isByHand(now: number): boolean {
    return this.#dragging || now - this.#handAt < handWithin
  }

  #drag(dragging: boolean): void {
    this.#dragging = dragging
    this.#hand()
  }

  /** As for the wheel: a finger that draws the text down leaves the end with its first pixels. */
  #finger(event: TouchEvent, does: 'down' | 'moves'): void {
    const y = event.touches?.[0]?.clientY ?? null
    const drawsDown = does === 'moves' && y !== null && this.#fingerY !== null && y > this.#fingerY
    this.#fingerY = y
    this.#drag(true)
    if (drawsDown && this.#box.scrollHeight > this.#box.clientHeight) this.#set(false)
  }

  /** At once, before the next piece of text could pull the view back. */
  #wheel(event: WheelEvent): void {
    this.#hand()
    if (event.deltaY < 0 && this.#box.scrollHeight > this.#box.clientHeight) this.#set(false)
  }

  /** As for the wheel: a key scrolls smoothly, and each piece of text would take back its first pixels. */
  #key(event: KeyboardEvent): void {
    this.#hand()
    const up = ['ArrowUp', 'PageUp', 'Home'].includes(event.key) || (event.key === ' ' && event.shiftKey)
    const typing = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
    if (up && !typing && this.#box.scrollHeight > this.#box.clientHeight) this.#set(false)
  }

  /** Only the person's own scrolling decides; for any other nothing is read, because reading makes the browser lay out at once. */
  #scrolled(): void {
    const now = performance.now()
    if (!this.#isByHand(now)) return
    const { scrollTop, scrollHeight, clientHeight } = this.#box
    const went = scrollTop - this.#top
    this.#top = scrollTop
    const toGo = scrollHeight - clientHeight - scrollTop
    if (this.#following) {
      // A box that grew pushes the view up too, but then it still stands at the very end.
      if (went < -1 && toGo > 2) this.#set(false)
      return
    }
    // A finger's swing goes on after the finger has left.
    this.#handAt = now
    if (this.#endIsNewest && went > 0 && toGo <= nearEnd) this.#set(true)
  }
}
