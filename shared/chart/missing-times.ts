// Where a chart marks missing candles.
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { stepMinutesOf, type Timeframe } from '#shared/candles/timeframe.ts'
import type { MissingCandles } from './missing-candles.ts'

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
