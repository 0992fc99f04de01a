/** Collects samples per figure and prints the one table: figure, median, p95, target. It measures; it judges nothing. */

export interface Figure {
  readonly name: string
  readonly unit: string
  readonly target: string
  readonly samples: readonly number[]
}

/** The value below which `share` of the samples lie; NaN without samples. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** The table as Markdown, so that it can go into a document as it is. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    shown(quantile(figure.samples, 0.5), figure.unit),
    figure.samples.length > 1 ? shown(quantile(figure.samples, 0.95), figure.unit) : '',
    String(figure.samples.length),
    figure.target,
  ])
  const head = ['figure', 'median', 'p95', 'n', 'target']
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

function shown(value: number, unit: string): string {
  if (Number.isNaN(value)) return 'not seen'
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0
  return `${value.toFixed(digits)} ${unit}`
}
