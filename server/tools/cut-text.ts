/** Cuts text at a number of UTF-16 units without splitting a character. */

/** The first `units` units, one less where a surrogate pair would be split. */
export function headOf(text: string, units: number): string {
  if (text.length <= units) return text
  return text.slice(0, isHighSurrogate(text, units - 1) ? units - 1 : units)
}

/** The last `units` units, one less where a surrogate pair would be split. */
export function tailOf(text: string, units: number): string {
  if (text.length <= units) return text
  const start = text.length - units
  return text.slice(isHighSurrogate(text, start - 1) ? start + 1 : start)
}

function isHighSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  return unit >= 0xd800 && unit <= 0xdbff
}
