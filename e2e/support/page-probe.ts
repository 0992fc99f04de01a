/** Measures inside the page, where no round trip blurs the moment. */
import type { Page } from '@playwright/test'

declare global {
  interface Window {
    belayProbe?: {
      readonly states: string[]
      readonly said: string[]
      stopShown?: StopShown
      readonly seen: string[]
    }
  }
}

/** Starts to note, from now until the next load: state words of the head, and everything that is said to a screen reader. */
export async function startProbe(page: Page): Promise<void> {
  await page.evaluate(() => {
    const probe = { states: [] as string[], said: [] as string[], seen: [] as string[] }
    window.belayProbe = probe
    const note = () => {
      for (const mark of document.querySelectorAll<HTMLElement>('main > header [data-state-word]')) {
        const word = mark.dataset.stateWord ?? ''
        if (mark.offsetParent !== null && probe.states.at(-1) !== word) probe.states.push(word)
      }
      for (const voice of document.querySelectorAll('[data-announcer]')) {
        const text = voice.textContent ?? ''
        if (text !== '' && probe.said.at(-1) !== text) probe.said.push(text)
      }
    }
    note()
    new MutationObserver(note).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
      attributeFilter: ['data-state-word'],
    })
  })
}

export async function probed(page: Page) {
  const probe = await page.evaluate(() => window.belayProbe)
  if (!probe) throw new Error('The probe was not started on this page.')
  return probe
}

export interface StopShown {
  /** Frames that were painted between the press and the word. 0: it stands in the very next one. */
  readonly frames: number
  /** Milliseconds from the press, as the page heard it, to the word. */
  readonly ms: number
}

/** Measures the next press of Stop: how soon the button says *Stopping*. */
export async function measureNextStop(page: Page): Promise<() => Promise<StopShown>> {
  await page.evaluate(() => {
    const stop = document.querySelector('[aria-label="Stop this turn"]')
    const probe = window.belayProbe
    if (!stop || !probe) throw new Error('There is nothing to stop, or the probe was not started.')
    stop.addEventListener(
      'click',
      () => {
        const pressedAt = performance.now()
        let frames = 0
        let waiting = true
        const painted = () => {
          frames += 1
          if (waiting) requestAnimationFrame(painted)
        }
        requestAnimationFrame(painted)
        const observer = new MutationObserver(() => {
          if (!stop.textContent?.includes('Stopping')) return
          observer.disconnect()
          waiting = false
          probe.stopShown = { frames, ms: performance.now() - pressedAt }
        })
        observer.observe(stop, { subtree: true, childList: true, characterData: true })
      },
      { capture: true, once: true },
    )
  })
  return async () => {
    await page.waitForFunction(() => window.belayProbe?.stopShown !== undefined)
    const { stopShown } = await probed(page)
    if (!stopShown) throw new Error('Stop was not measured.')
    return stopShown
  }
}

export interface Place {
  /** Pixels from the top of the window to the row that was in the middle of the view when the watch began. */
  readonly top: number
  /** Pixels by which the last row reaches below the view; negative when there is room below it. */
  readonly beyond: number
}

/**
 * Watches for `ms` where the transcript stands, frame by frame. An intersection is computed after the layout of a frame and just
 * before it is painted: so these are the places that a person sees, and none that stood for a moment between two frames.
 */
export function watchPlace(page: Page, ms: number): Promise<readonly Place[]> {
  return page.evaluate(async (duration) => {
    const box = document.querySelector<HTMLElement>('[data-transcript]')
    if (!box) throw new Error('There is no transcript.')
    const frame = box.getBoundingClientRect()
    const middle = frame.top + frame.height / 2
    // By place, not by pointing: the list takes no pointer while it scrolls.
    const row = [...box.querySelectorAll<HTMLElement>('[data-row] p, [data-row] pre, [data-row]')].find((candidate) => {
      const { bottom, height } = candidate.getBoundingClientRect()
      return height > 0 && bottom > middle
    })
    if (!row) throw new Error('There is no row in the middle of the view.')
    const places: { top: number; beyond: number }[] = []
    const until = performance.now() + duration
    // A busy machine paints few frames: enough of them count, however long they take.
    while (performance.now() < until || places.length < 10) {
      const last = [...box.querySelectorAll<HTMLElement>('[data-row]')].at(-1) ?? row
      const seen = await new Promise<readonly IntersectionObserverEntry[]>((resolve) => {
        const observer = new IntersectionObserver(
          (entries) => {
            observer.disconnect()
            resolve(entries)
          },
          { root: box },
        )
        observer.observe(row)
        observer.observe(last)
      })
      const ofRow = seen.find((entry) => entry.target === row)
      const ofLast = seen.find((entry) => entry.target === last)
      places.push({
        top: row.isConnected ? (ofRow?.boundingClientRect.top ?? Number.NaN) : Number.NaN,
        beyond: (ofLast?.boundingClientRect.bottom ?? Number.NaN) - (ofLast?.rootBounds?.bottom ?? Number.NaN),
      })
    }
    return places
  }, ms)
}

/** Resolves when the transcript has not moved for a few frames: a wheel is smooth. */
export async function standsStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const box = document.querySelector<HTMLElement>('[data-transcript]')
    let last = Number.NaN
    for (let still = 0; still < 6; ) {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)))
      const now = box?.scrollTop ?? 0
      still = now === last ? still + 1 : 0
      last = now
    }
  })
}

/** Notes every text of the transcript that matches, in whatever frame it stands; read with `probed().seen`. */
export async function noteInTranscript(page: Page, pattern: RegExp): Promise<void> {
  await page.evaluate(
    ([source, flags]) => {
      const wanted = new RegExp(source, flags)
      const box = document.querySelector<HTMLElement>('[data-transcript]')
      const probe = window.belayProbe
      if (!box || !probe) throw new Error('There is no transcript, or the probe was not started.')
      new MutationObserver(() => {
        for (const row of box.querySelectorAll('[data-row="chunk"]')) {
          const found = wanted.exec(row.textContent ?? '')
          if (found && probe.seen.at(-1) !== found[0]) probe.seen.push(found[0])
        }
      }).observe(box, { subtree: true, childList: true, characterData: true })
    },
    [pattern.source, pattern.flags] as const,
  )
}

/**
 * How much slower than a quiet one this machine is at this moment, at least 1: a mark in milliseconds that was set for a quiet
 * machine is taken times this, so that only the page can fail it.
 */
export function slowness(): number {
  const usualMs = 12
  let slowest = 1
  for (let round = 0; round < 3; round += 1) {
    const startedAt = performance.now()
    let rest = 1
    for (let n = 1; n < 4_000_000; n += 1) rest = (rest * 31 + n) % 65_537
    slowest = Math.max(slowest, (performance.now() - startedAt) / (rest < 0 ? 1 : usualMs))
  }
  return slowest
}
