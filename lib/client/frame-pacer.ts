/** One notification per animation frame: at once after a pause, else with the next frame (U9). */

export interface PacerPorts {
  now(): number
  /** Calls back with the next frame; in a hidden page, some time later. */
  nextFrame(run: () => void): void
}

/** Milliseconds of a frame at 60 Hz. */
const frame = 16

export class FramePacer {
  readonly #ports: PacerPorts
  readonly #due = new Set<() => void>()
  #asked = false
  #last = Number.NEGATIVE_INFINITY

  constructor(ports: PacerPorts) {
    this.#ports = ports
  }

  /** Runs `notify` now or with the next frame; asked for twice before that, it runs once. */
  schedule(notify: () => void): void {
    this.#due.add(notify)
    if (this.#asked) return
    if (this.#ports.now() - this.#last >= frame) {
      this.#run()
      return
    }
    this.#asked = true
    this.#ports.nextFrame(() => {
      this.#asked = false
      this.#run()
    })
  }

  #run(): void {
    this.#last = this.#ports.now()
    const due = [...this.#due]
    this.#due.clear()
    for (const notify of due) notify()
  }
}

/**
 * The browser's frames. A page that is hidden, or becomes so before its next frame, has none: a slow timer keeps its title and
 * its announcements true.
 */
export const browserFrames: PacerPorts = {
  now: () => performance.now(),
  nextFrame: (run) => {
    let over = false
    const once = () => {
      if (over) return
      over = true
      clearTimeout(timer)
      run()
    }
    const timer = setTimeout(once, 250)
    if (!document.hidden) requestAnimationFrame(once)
  },
}
