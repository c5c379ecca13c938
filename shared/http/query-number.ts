// Integers in query strings.
import { z } from 'zod'
import { amountOf } from '#shared/base/read-decimal.ts'

/** Accepts plain digits only, so that caches and logs see the same number as the server. */
export function queryNumber(min: number, max: number) {
  return z.preprocess((value: string | number) => (typeof value === 'string' ? amountOf(value) : value), z.int().min(min).max(max))
}
