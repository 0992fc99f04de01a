/** A text in which what was searched for is marked, whatever its case. */
import { Fragment } from 'react'

export function Marked({ text, part }: { text: string; part: string }) {
  const wanted = part.trim()
  if (wanted === '') return text
  return splitAround(text, wanted).map(({ at, piece, found }) => (
    <Fragment key={at}>
      {found ? <mark className="rounded-mark bg-accent-soft text-ink">{piece}</mark> : piece}
    </Fragment>
  ))
}

function splitAround(text: string, part: string): { at: number; piece: string; found: boolean }[] {
  const pieces: { at: number; piece: string; found: boolean }[] = []
  const low = text.toLowerCase()
  const lowPart = part.toLowerCase()
  // Where lower case has another length the places would not fit: then nothing is marked.
  if (low.length !== text.length) return [{ at: 0, piece: text, found: false }]
  let from = 0
  for (let at = low.indexOf(lowPart); at !== -1; at = low.indexOf(lowPart, from)) {
    if (at > from) pieces.push({ at: from, piece: text.slice(from, at), found: false })
    from = at + part.length
    pieces.push({ at, piece: text.slice(at, from), found: true })
  }
  if (from < text.length) pieces.push({ at: from, piece: text.slice(from), found: false })
  return pieces
}
