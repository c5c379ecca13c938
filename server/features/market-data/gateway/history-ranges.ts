// How much history is requested: for a new series, at once, and for each page of older candles.
import { dayMs, hourMs } from '#shared/base/durations.ts'
import { stepMinutesOf, type Timeframe } from '#shared/candles/timeframe.ts'
import { stepMs, type HistoryStep } from '../feed.ts'

/** History depth requested for a new series. */
export const depthMs: Readonly<Record<HistoryStep, number>> = {
  '1m': 5 * dayMs,
  '5m': 15 * dayMs,
  '15m': 40 * dayMs,
  '30m': 60 * dayMs,
  '1h': 365 * dayMs,
  '4h': 2 * 365 * dayMs,
  '1D': 5 * 365 * dayMs,
}
/** Range of one request for older candles. */
export const chunkMs: Readonly<Record<HistoryStep, number>> = {
  '1m': 4 * dayMs,
  '5m': 20 * dayMs,
  '15m': 60 * dayMs,
  '30m': 90 * dayMs,
  '1h': 180 * dayMs,
  '4h': 720 * dayMs,
  '1D': 5 * 365 * dayMs,
}
/** Long candles that are resampled from short ones need more of these per page. */
const longChunkMs = { intraday: 30 * dayMs, days: 92 * dayMs }
/** A range without candles may be a long closure, so the range is widened before a source counts as exhausted. */
export const wideningFactors = [1, 4]
/** A file is cheap to read, and may have ended years ago. */
export const wideningFactorsOfFile = [1, 4, 16, 64, 256, 1_024, 4_096]
/** Maximum ranges of one request for older candles. */
export const stretchesMax = 4

/** Range of one request for older candles of a timeframe. */
export function widthOf(step: HistoryStep, timeframe: Timeframe): number {
  const minutes = stepMinutesOf(timeframe) ?? Infinity
  if (minutes < 60 || stepMs[step] >= hourMs) return chunkMs[step]
  return Math.max(chunkMs[step], minutes === Infinity ? longChunkMs.days : longChunkMs.intraday)
}
