// Builds the candles of one chunk from the coarsest stored step that is complete there, and from finer ones elsewhere.
import { dayMs, hourMs } from '#shared/base/durations.ts'
import { intersectSpans, subtractSpans, type TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { resample } from '#shared/candles/resample.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { hasTrading } from '#shared/trading-hours/trading-gaps.ts'
import { stepMinutesOf, type Timeframe } from '#shared/candles/timeframe.ts'
import { coveredTime, dayLeadMs, stampLeadMs, stampsOf, timeOfCandle, usableSteps, wholeCandles } from '../history-steps.ts'
import type { CandleReader } from './candle-reader.ts'
import type { Chunk } from './chunk-range.ts'

/** Maximum time from a candle's timestamp to its end. */
const longestMs = (timeframe: Timeframe): number => (stepMinutesOf(timeframe) === undefined ? 32 * dayMs : 6 * hourMs)

interface Making {
  readonly reader: CandleReader
  readonly sessionClass: SessionClass
  readonly timeframe: Timeframe
  /** Only minutes closed by then are used. */
  readonly asOfMs: number
}

export interface MadeCandles {
  readonly candles: Candle[]
  /** End of the last candle, if known data ends before it: it is complete from its start and still forming. Null if it is closed. */
  readonly openEndMs: number | null
}

/** Candles with timestamps in the chunk, ascending, each complete, or, for the last known one, complete so far. */
export async function makeChunk(chunk: Chunk, making: Making): Promise<MadeCandles> {
  const { sessionClass, timeframe, reader, asOfMs } = making
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
  const made = resample(
    parts.toSorted((one, other) => one.timeMs - other.timeMs),
    sessionClass,
    timeframe,
  )
  const inChunk = made.filter(({ timeMs }) => timeMs >= chunk.fromMs && timeMs < chunk.toMs)
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

function withoutTruncated(made: readonly Candle[], { sessionClass, timeframe, gaps, knownMs }: Known): MadeCandles {
  const candles: Candle[] = []
  let openEndMs: number | null = null
  const leadMs = stepMinutesOf(timeframe) === undefined ? dayLeadMs : stampLeadMs
  let next = 0
  for (const candle of made) {
    const isLast = candle === made.at(-1)
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
