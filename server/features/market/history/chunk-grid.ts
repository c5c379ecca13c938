// Fixed stretches of time in which candles are made and kept, so that pages of any size share them.
import { dayMs, hourMs } from '#shared/base/durations.ts'
import { stepMinutesOf } from '#shared/market/timeframe-step.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { dayLeadMs, stampLeadMs } from '../history-steps.ts'

/** Days whose candles are kept together: several hundred candles, and not so many minutes that the newest stretch is slow to make again. */
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
  /** Candles with stamps in [fromMs, toMs) are in it. */
  readonly fromMs: number
  readonly toMs: number
  /** What those candles are made of has stamps in [dataFromMs, dataToMs). */
  readonly dataFromMs: number
  readonly dataToMs: number
}

/** The stretch around a stamp, epoch milliseconds. */
export function chunkAt(timeframe: Timeframe, ms: number): Chunk {
  const widthMs = chunkDays[timeframe] * dayMs
  const fromMs = Math.floor(ms / widthMs) * widthMs
  // A session may open before its date; a candle's last minute may be a whole month after its stamp.
  const leadMs = stepMinutesOf(timeframe) === undefined ? dayLeadMs : stampLeadMs
  return { fromMs, toMs: fromMs + widthMs, dataFromMs: fromMs - leadMs, dataToMs: fromMs + widthMs + longestMs(timeframe) }
}

function longestMs(timeframe: Timeframe): number {
  if (timeframe === '1M') return 31 * dayMs
  if (timeframe === '1W') return 7 * dayMs
  return timeframe === '1D' ? dayMs : 5 * hourMs
}
