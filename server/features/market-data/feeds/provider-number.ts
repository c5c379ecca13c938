// Numbers and rows in providers' JSON: numbers may be text, and are NaN for anything else, which the check of candles drops.
import { z } from 'zod'

/** More than any call asks for: 60 days of minutes are 86,400. */
export const rowsMax = 100_000

const decimalText = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i

/** The number of a value, which may be decimal text with an exponent; NaN if it is none. */
export function providerNumber(value: unknown): number {
  if (typeof value === 'string') return decimalText.test(value) ? Number(value) : Number.NaN
  return typeof value === 'number' ? value : Number.NaN
}

/** Never fails, so that one unreadable value does not make the whole message malformed. */
export const numberSchema = z.unknown().transform(providerNumber).catch(Number.NaN)

/** The same where a missing number means that it is unknown. */
export const optionalNumberSchema = z
  .unknown()
  .transform((value) => (value === undefined || value === null ? null : providerNumber(value)))
  .catch(null)

/** A row of numbers; a row that is no list is empty. */
export const numberRowSchema = z.unknown().transform((row): number[] => (Array.isArray(row) ? row.map(providerNumber) : []))

/** A list of at most 100,000 items; a longer one makes the response malformed before its items are read. */
export function rowsOf<Item>(item: z.ZodType<Item>): z.ZodType<Item[]> {
  return z.array(z.unknown()).max(rowsMax).pipe(z.array(item))
}
