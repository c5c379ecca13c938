// Candles that the source has answered three times with a row that cannot be true: they stay missing, and are marked.
import { z } from 'zod'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { stepMinutesOf, type Timeframe } from '#shared/candles/timeframe.ts'

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

/** Timestamps of a source on a timeframe, ascending: its candles are built from minutes below an hour, from hours below a day. */
export function missingTimes(missing: readonly MissingCandles[], source: string | undefined, timeframe: Timeframe): readonly number[] {
  const minutes = stepMinutesOf(timeframe)
  const [fromMs, toMs] = minutes === undefined ? [dayMs, Infinity] : minutes * minuteMs >= hourMs ? [hourMs, dayMs] : [0, hourMs]
  return missing
    .filter((one) => one.source === source)
    .filter(({ stepMs }) => stepMs >= fromMs && stepMs < toMs)
    .map((one) => one.fromMs)
    .toSorted((one, other) => one - other)
}
