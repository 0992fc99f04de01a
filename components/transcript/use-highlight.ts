'use client'

/** Coloured lines for a piece of code, a moment after it is shown plain; while it grows, a few times a second. */
import { useEffect, useRef, useState } from 'react'
import { type CodeLine, cached, highlight, languageOf } from '@/components/transcript/highlighter'

interface Coloured {
  readonly code: string
  readonly lines: readonly CodeLine[]
}

/** Milliseconds between two colourings of a piece that grows. */
const pace = 150

/** The coloured lines that still stand for `code`: as many from its start as have not changed. */
export function useHighlight(code: string, word: string, growing: boolean): readonly CodeLine[] {
  const language = languageOf(word)
  const [done, setDone] = useState<Coloured | null>(() => {
    const lines = language && cached(code, language)
    return lines ? { code, lines } : null
  })
  const last = useRef(0)
  useEffect(() => {
    if (!language) return
    let left = false
    const run = () => {
      last.current = Date.now()
      void highlight(code, language).then((lines) => {
        if (!left && lines) setDone({ code, lines })
      })
    }
    const wait = growing ? Math.max(0, last.current + pace - Date.now()) : 0
    const timer = setTimeout(run, wait)
    return () => {
      left = true
      if (wait === 0 || !growing) clearTimeout(timer)
    }
  }, [code, language, growing])
  if (!done) return []
  return done.code === code ? done.lines : done.lines.slice(0, sameLines(done.code, code))
}

/** How many whole lines at the start of both texts are the same. */
function sameLines(before: string, now: string): number {
  const most = Math.min(before.length, now.length)
  let at = 0
  let lines = 0
  while (at < most && before.charCodeAt(at) === now.charCodeAt(at)) {
    if (before.charCodeAt(at) === 10) lines += 1
    at += 1
  }
  return lines
}
