// Candles that the source has answered three times with a row that cannot be true: they stay missing, and are marked.
import { z } from 'zod'

export const missingCandlesSchema = z.object({
  /** Display name of the source, as in the label of its prices. */
  source: z.string(),
  /** First timestamp, epoch milliseconds. */
  fromMs: z.number(),
  /** Width of these candles in milliseconds. */
  stepMs: z.number(),
})

export type MissingCandles = z.output<typeof missingCandlesSchema>

/** Most that a chart marks. */
export const missingCandlesMax = 100
