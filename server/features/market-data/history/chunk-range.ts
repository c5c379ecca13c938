// Fixed time ranges in which candles are built and cached, so that pages of any size share them.
import { dayMs, hourMs } from '#shared/base/durations.ts'
import { stepMinutesOf, type Timeframe } from '#shared/candles/timeframe.ts'
import { dayLeadMs, stampLeadMs } from '../history-steps.ts'

/** Days per chunk: several hundred candles, but few enough minutes that the newest chunk is quick to rebuild. */
const chunkDays: Readonly<Record<Timeframe, number>> = {
  '1': 1,
  '3': 3,
  '5': 5,
  '15': 8,
  '30': 12,
  '60': 30,
  '120': 60,
  '240': 120,
  '1D': 720,
  '1W': 7 * 720,
  '1M': 30 * 720,
}

export interface Chunk {
  /** Contains candles with timestamps in [fromMs, toMs). */
  readonly fromMs: number
  readonly toMs: number
  /** Their source data has timestamps in [dataFromMs, dataToMs). */
  readonly dataFromMs: number
  readonly dataToMs: number
}

/** The chunk around a timestamp, epoch milliseconds. */
export function chunkAt(timeframe: Timeframe, ms: number): Chunk {
  const widthMs = chunkDays[timeframe] * dayMs
  const fromMs = Math.floor(ms / widthMs) * widthMs
  // A session may open before its date; a candle's last minute may be a whole month after its timestamp.
  const leadMs = stepMinutesOf(timeframe) === undefined ? dayLeadMs : stampLeadMs
  return { fromMs, toMs: fromMs + widthMs, dataFromMs: fromMs - leadMs, dataToMs: fromMs + widthMs + longestMs(timeframe) }
}

function longestMs(timeframe: Timeframe): number {
  if (timeframe === '1M') return 31 * dayMs
  if (timeframe === '1W') return 7 * dayMs
  return timeframe === '1D' ? dayMs : 5 * hourMs
}
