// The candles of one stretch, from the stored step of their timeframe, and from minutes where that step has nothing yet.
import type { Candle } from '#shared/market/candles/candle.ts'
import { resample, stepOf } from '#shared/market/candles/resample.ts'
import { bucketer } from '#shared/market/sessions/bucket.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { stepMs, type HistoryStep } from '../feed.ts'
import type { CandleReader } from './candle-reader.ts'
import type { Chunk } from './chunk-grid.ts'

interface Making {
  readonly reader: CandleReader
  readonly sessionClass: SessionClass
  readonly timeframe: Timeframe
  /** Nothing that was not over by then goes in. */
  readonly asOfMs: number
}

/**
 * Candles with stamps in the chunk, ascending; the last one is as complete as what is known. What is stored of the
 * larger step counts for its time; before the first and after the last of it candles are made from minutes.
 */
export async function makeChunk(chunk: Chunk, making: Making): Promise<Candle[]> {
  const { sessionClass, timeframe } = making
  const step = stepOf(timeframe)
  const parts = step === '1m' ? await closedIn('1m', chunk.dataFromMs, chunk.dataToMs, making) : await mixedParts(chunk, step, making)
  return resample(parts, sessionClass, timeframe).filter(({ timeMs }) => timeMs >= chunk.fromMs && timeMs < chunk.toMs)
}

async function mixedParts(chunk: Chunk, step: '1h' | '1D', making: Making): Promise<Candle[]> {
  const large = await closedIn(step, chunk.dataFromMs, chunk.dataToMs, making)
  const firstMs = large[0]?.timeMs ?? Infinity
  const lastMs = large.at(-1)?.timeMs ?? -Infinity
  const before = await minutesBefore(chunk, step, Math.min(firstMs, chunk.dataToMs), making)
  const after = large.length === 0 ? [] : await minutesAfter(chunk, step, lastMs, making)
  // A minute belongs to the larger candle with its stamp, if that is stored; what the session says, not the clock.
  const bucketAt = bucketer(making.sessionClass, step === '1h' ? '60' : '1D')
  const isElsewhere = ({ timeMs }: Candle): boolean => {
    const stampMs = bucketAt(timeMs)?.timeMs
    return stampMs !== undefined && (stampMs < firstMs || stampMs > lastMs)
  }
  return [...before.filter(isElsewhere), ...large, ...after.filter(isElsewhere)]
}

async function minutesBefore(chunk: Chunk, step: HistoryStep, untilMs: number, making: Making): Promise<readonly Candle[]> {
  const { reader } = making
  const [minutes, large] = await Promise.all([reader.bounds('1m'), reader.bounds(step)])
  // Where larger candles are stored on both sides, nothing was traded between them.
  if (large !== undefined && large.firstMs < chunk.dataFromMs && large.lastMs >= untilMs) return []
  // Asking for less keeps memory from reaching back for nothing.
  return closedIn('1m', Math.max(chunk.dataFromMs, minutes?.firstMs ?? chunk.dataFromMs), untilMs, making)
}

async function minutesAfter(chunk: Chunk, step: HistoryStep, lastMs: number, making: Making): Promise<readonly Candle[]> {
  // The next day may open a few hours before its date.
  const fromMs = lastMs + (step === '1h' ? stepMs['1h'] : stepMs['1D'] - 4 * stepMs['1h'])
  return closedIn('1m', fromMs, chunk.dataToMs, making)
}

async function closedIn(step: HistoryStep, fromMs: number, toMs: number, { reader, asOfMs }: Making): Promise<readonly Candle[]> {
  const candles = await reader.range(step, fromMs, Math.min(toMs, asOfMs))
  const lastStampMs = asOfMs - stepMs[step]
  return candles.at(-1)?.timeMs === undefined || (candles.at(-1)?.timeMs ?? 0) <= lastStampMs
    ? candles
    : candles.filter(({ timeMs }) => timeMs <= lastStampMs)
}
