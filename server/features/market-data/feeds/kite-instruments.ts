// Looks up Kite's instrument tokens in the list that Zerodha publishes every morning.
import { z } from 'zod'

const needed = ['instrument_token', 'tradingsymbol', 'exchange'] as const

const tokenSchema = z.coerce.number().int().positive().max(0xffff_ffff)

/** Fields of one line; a quoted field may contain commas, and a double quote is escaped by doubling. */
function fieldsOf(line: string): string[] {
  const fields: string[] = []
  let field = ''
  let isQuoted = false
  for (let i = 0; i < line.length; i += 1) {
    const sign = line[i]
    if (sign === '"' && isQuoted && line[i + 1] === '"') {
      field += '"'
      i += 1
    } else if (sign === '"') {
      isQuoted = !isQuoted
    } else if (sign === ',' && !isQuoted) {
      fields.push(field)
      field = ''
    } else {
      field += sign
    }
  }
  return [...fields, field]
}

/**
 * Tokens by names such as `NSE:RELIANCE` or `NSE:NIFTY 50`, from the published CSV. Columns are found by their headers;
 * lines without a usable token are skipped. Null if the text is not such a list.
 */
export function readKiteInstruments(csv: string): ReadonlyMap<string, number> | null {
  const [header = '', ...lines] = csv.split(/\r?\n/)
  const titles = fieldsOf(header.replace(/^\uFEFF/, '')).map((title) => title.trim())
  const [tokenAt = -1, symbolAt = -1, exchangeAt = -1] = needed.map((title) => titles.indexOf(title))
  if (Math.min(tokenAt, symbolAt, exchangeAt) < 0) return null
  const tokens = new Map<string, number>()
  for (const line of lines) {
    const fields = fieldsOf(line)
    const token = tokenSchema.safeParse(fields[tokenAt])
    const symbol = fields[symbolAt]
    const exchange = fields[exchangeAt]
    if (token.success && symbol && exchange) tokens.set(`${exchange}:${symbol}`, token.data)
  }
  return tokens
}
