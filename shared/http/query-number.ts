// A whole number in the query of an address, where everything is text.
import { z } from 'zod'
import { amountOf } from '#shared/base/decimal.ts'

/** Takes plain digits only, so that a cache, a log and a person read the same number as the server. */
export function queryNumber(min: number, max: number) {
  return z.preprocess((value: string | number) => (typeof value === 'string' ? amountOf(value) : value), z.int().min(min).max(max))
}
