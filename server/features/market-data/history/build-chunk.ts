// Builds candles in fixed time ranges, so that pages of any size share them: from the coarsest stored step that is complete there, and from finer ones elsewhere.
import { dayMs, hourMs } from '#shared/base/durations.ts'
import { intersectSpans, subtractSpans, type TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { resample } from '#shared/candles/resample.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { hasTrading } from '#shared/trading-hours/trading-gaps.ts'
import { stepMinutesOf, type Timeframe } from '#shared/candles/timeframe.ts'
import { coveredTime, dayLeadMs, stampLeadMs, stampsOf, timeOfCandle, usableSteps, wholeCandles } from '../coverage.ts'
import type { CandleReader } from './candle-reader.ts'

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
  return { fromMs, toMs: fromMs + widthMs, dataFromMs: fromMs - leadMs, dataToMs: fromMs + widthMs + chunkTailMs(timeframe) }
}

/** From the last timestamp of a chunk to the end of its source data. */
function chunkTailMs(timeframe: Timeframe): number {
  if (timeframe === '1M') return 31 * dayMs
  if (timeframe === '1W') return 7 * dayMs
  return timeframe === '1D' ? dayMs : 5 * hourMs
}

/** Maximum time from a candle's timestamp to its end. */
const longestMs = (timeframe: Timeframe): number => (stepMinutesOf(timeframe) === undefined ? 32 * dayMs : 6 * hourMs)

interface BuildChunkOptions {
  readonly reader: CandleReader
  readonly sessionClass: SessionClass
  readonly timeframe: Timeframe
  /** Only minutes closed by then are used. */
  readonly asOfMs: number
}

export interface BuiltCandles {
  readonly candles: Candle[]
  /** End of the last candle, if known data ends before it: it is complete from its start and still forming. Null if it is closed. */
  readonly openEndMs: number | null
}

/** Candles with timestamps in the chunk, ascending, each complete, or, for the last known one, complete so far. */
export async function buildChunk(chunk: Chunk, options: BuildChunkOptions): Promise<BuiltCandles> {
  const { sessionClass, timeframe, reader, asOfMs } = options
  const coverage = await reader.coverage()
  const steps = usableSteps(timeframe, sessionClass).filter((step) => coverage[step] !== undefined)
  const covered = new Map(steps.map((step) => [step, coveredTime(step, sessionClass, coverage)]))
  let missing: TimeSpan[] = [{ fromMs: chunk.dataFromMs, toMs: Math.min(chunk.dataToMs, asOfMs) }]
  if (missing.some(({ fromMs, toMs }) => fromMs >= toMs)) return { candles: [], openEndMs: null }
  const parts: Candle[] = []
  for (const step of steps) {
    const spans = wholeCandles(step, sessionClass, intersectSpans(missing, covered.get(step) ?? []))
    missing = subtractSpans(missing, spans)
    for (const span of spans) {
      const { fromMs, toMs } = stampsOf(step, sessionClass, span)
      for (const candle of await reader.range(step, fromMs, toMs)) parts.push(candle)
    }
  }
  const knownMs = Math.min(asOfMs, Math.max(...[...covered.values()].map((spans) => spans.at(-1)?.toMs ?? -Infinity)))
  const built = resample(
    parts.toSorted((one, other) => one.timeMs - other.timeMs),
    sessionClass,
    timeframe,
  )
  const inChunk = built.filter(({ timeMs }) => timeMs >= chunk.fromMs && timeMs < chunk.toMs)
  return withoutTruncated(inChunk, {
    sessionClass,
    timeframe,
    gaps: subtractSpans(missing, [{ fromMs: knownMs, toMs: Infinity }]),
    knownMs,
  })
}

interface Known {
  readonly sessionClass: SessionClass
  readonly timeframe: Timeframe
  /** Spans where data may be missing, up to `knownMs`. */
  readonly gaps: readonly TimeSpan[]
  readonly knownMs: number
}

function withoutTruncated(built: readonly Candle[], { sessionClass, timeframe, gaps, knownMs }: Known): BuiltCandles {
  const candles: Candle[] = []
  let openEndMs: number | null = null
  const leadMs = stepMinutesOf(timeframe) === undefined ? dayLeadMs : stampLeadMs
  let next = 0
  for (const candle of built) {
    const isLast = candle === built.at(-1)
    while ((gaps[next]?.toMs ?? Infinity) <= candle.timeMs - leadMs) next += 1
    // Most candles are far from any gap, so skip the expensive exact hours.
    if (!isLast && (gaps[next]?.fromMs ?? Infinity) >= candle.timeMs + longestMs(timeframe)) {
      candles.push(candle)
      continue
    }
    const time = timeOfCandle(sessionClass, timeframe, candle.timeMs)
    if (time !== undefined && intersectSpans(gaps, [time]).some((gap) => hasTrading(sessionClass, gap))) continue
    candles.push(candle)
    if (time !== undefined && hasTrading(sessionClass, { fromMs: Math.max(knownMs, time.fromMs), toMs: time.toMs })) openEndMs = time.toMs
  }
  return { candles, openEndMs }
}
