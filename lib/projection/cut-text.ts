/** Shortens text for summaries without tearing a character apart. */

/** At most `max` UTF-16 units of `text`; a surrogate pair at the edge is left out whole. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  const tears = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, tears ? max - 1 : max)
}

/** The first line that says anything, its blanks collapsed, at most `max` units; the cut is marked. */
export function firstLine(text: string, max: number): string {
  const line = text.trim().split(/\r\n|\r|\n/, 1)[0] ?? ''
  const plain = line.replace(/\s+/g, ' ').trim()
  return plain.length <= max ? plain : `${cutText(plain, max - 1).trimEnd()}…`
}
