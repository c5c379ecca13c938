// Numbers in providers' JSON: as numbers or text, and NaN for anything else, which the check of candles drops.
import { z } from 'zod'

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
