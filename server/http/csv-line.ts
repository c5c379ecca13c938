// Rows as CSV (RFC 4180) that a spreadsheet opens as text and never as a formula.

/** One line with its line break. A cell that a spreadsheet would calculate gets an apostrophe prefix. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map((cell) => csvCell(cell)).join(',')}\r\n`
}

/** Invisible characters, which spreadsheets skip, before a sign that begins a formula, also in its full and small width. */
const formula = /(^|[;|\t\r\n])([\s\p{Cf}\p{Cc}]*)(?=[=+\-@\u2212\uFE62\uFE63\uFE66\uFE6B\uFF0B\uFF0D\uFF1D\uFF20])/gu
const leadingControl = /^(?=\s*[\t\r])/

function csvCell(cell: string | number | null): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  // A program that splits at another separator begins a cell in the middle of this one.
  const safe = cell.replace(formula, "$1'$2").replace(leadingControl, "'")
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
