// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Follower } from '@/components/transcript/follower'

/** A box of 600 px over content whose height the test sets; scrolling is clamped as a browser clamps it. */
function given(following = true) {
  let height = 2_000
  let view = 600
  let top = 0
  const box = document.createElement('div')
  const clamp = (value: number) => Math.max(0, Math.min(value, height - view))
  Object.defineProperties(box, {
    scrollHeight: { get: () => height },
    clientHeight: { get: () => view },
    scrollTop: {
      get: () => top,
      set: (value: number) => {
        top = clamp(value)
        box.dispatchEvent(new Event('scroll'))
      },
    },
  })
  const changes: boolean[] = []
  const follower = new Follower(box, document.createElement('div'), following, (now) => changes.push(now))
  return {
    box,
    follower,
    changes,
    top: () => top,
    grows: (by: number) => {
      height += by
      observers.at(-1)?.()
    },
    /** The composer takes or gives back room below. */
    viewBecomes: (size: number) => {
      view = size
      const clamped = clamp(top)
      if (clamped !== top) {
        top = clamped
        box.dispatchEvent(new Event('scroll'))
      }
    },
    wheel: (by: number) => {
      box.dispatchEvent(new WheelEvent('wheel', { deltaY: by }))
      box.scrollTop += by
    },
    key: (to: number) => {
      box.dispatchEvent(new KeyboardEvent('keydown', { key: 'PageUp' }))
      box.scrollTop = to
    },
    touch: (to: number) => {
      box.dispatchEvent(new Event('touchstart'))
      box.scrollTop = to
      box.dispatchEvent(new Event('touchend'))
    },
  }
}

let observers: (() => void)[] = []
beforeEach(() => {
  observers = []
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(run: () => void) {
        observers.push(run)
      }
      observe() {}
      disconnect() {}
    },
  )
})
afterEach(() => vi.unstubAllGlobals())

describe('the view of the transcript', () => {
  it('S-M3: follows what grows while it stands at the end', () => {
    const { grows, top } = given()
    expect(top()).toBe(1_400)
    grows(300)
    expect(top()).toBe(1_700)
  })

  it.each([
    ['wheel', (view: ReturnType<typeof given>) => view.wheel(-400)],
    ['keyboard', (view: ReturnType<typeof given>) => view.key(1_000)],
    ['touch', (view: ReturnType<typeof given>) => view.touch(1_000)],
  ])('S-M3: stays where a person has scrolled by %s, whatever grows', (_how, scroll) => {
    const view = given()
    scroll(view)
    view.grows(5_000)
    expect(view.top()).toBe(1_000)
    expect(view.changes).toEqual([false])
  })

  it('S-M3: lets even a small turn of the wheel win against what streams', () => {
    const view = given()
    view.wheel(-3)
    view.grows(20)
    expect(view.top()).toBe(1_397)
  })

  it('S-M3: lets a finger win against what streams from its first pixel on', () => {
    const { box, changes } = given()
    const touch = (type: string, clientY: number) =>
      box.dispatchEvent(Object.assign(new Event(type), { touches: [{ clientY }] }))
    touch('touchstart', 300)
    touch('touchmove', 296)
    expect(changes, 'drawn up, towards the end').toEqual([])
    touch('touchmove', 299)
    expect(changes).toEqual([false])
  })

  it('S-M3: follows again when the person comes back to the end, and with its control', () => {
    const view = given()
    view.wheel(-400)
    view.wheel(400)
    expect(view.changes).toEqual([false, true])
    view.wheel(-400)
    view.follower.toEnd()
    view.grows(100)
    expect(view.top()).toBe(1_500)
  })

  it('SCREEN: does not move when the composer grows, and does not stop following when it shrinks again', () => {
    const view = given()
    view.viewBecomes(450)
    expect(view.top()).toBe(1_400)
    window.dispatchEvent(new Event('pointerup'))
    view.viewBecomes(700)
    view.grows(100)
    expect(view.top()).toBe(1_400)
    expect(view.changes).toEqual([])
  })

  it('does not follow at the end of an older part, which is not the newest', () => {
    const view = given()
    view.follower.endIsNewest(false)
    view.wheel(-400)
    view.wheel(400)
    view.grows(3_000)
    expect(view.top()).toBe(1_400)
    expect(view.changes).toEqual([false])
  })

  it('stays at a turn that an address led to', () => {
    const view = given(false)
    view.box.scrollTop = 800
    view.grows(3_000)
    expect(view.top()).toBe(800)
  })

  it('hears nothing more once it has left', () => {
    const view = given()
    view.follower.leave()
    view.wheel(-400)
    expect(view.changes).toEqual([])
  })
})
