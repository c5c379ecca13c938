// Rows as CSV (RFC 4180) that a spreadsheet opens as text and never as a formula.

/** One line with its line break. A cell that a spreadsheet would calculate gets an apostrophe prefix. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map((cell) => csvCell(cell)).join(',')}\r\n`
}

function csvCell(cell: string | number | null): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const safe = /^\s*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
