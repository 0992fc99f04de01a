/** The words of a markdown text without its marks, for one quiet line. Not a parser: what it does not know stays as it is. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/```[\w-]*\s?/g, '')
    .replace(/^\s{0,3}(#{1,6}|>|[-*+])\s+/gm, '')
    .replace(/(\*\*|__|`)(.+?)\1/g, '$2')
    .replace(/\s+/g, ' ')
    .trim()
}
