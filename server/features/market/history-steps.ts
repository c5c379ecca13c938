// Which stored steps make the candles of a timeframe, and which whole candles of a step lie in a span of time.
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { subtractSpans, type TimeSpan } from '#shared/base/time-spans.ts'
import { bucketOf } from '#shared/market/sessions/bucket.ts'
import { calendarOf } from '#shared/market/sessions/calendar.ts'
import { dateOf, dayOf } from '#shared/market/sessions/days.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import { sessionsBetween } from '#shared/market/sessions/trading-time.ts'
import { stepMinutesOf } from '#shared/market/timeframe-step.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { historySteps, stepMs, timeframeOfStep, type HistoryStep } from './feed.ts'
import type { Coverage } from './store/candle-store.ts'

/** Days of these classes end at 17:00 in New York, and no source cuts its days there. */
const classesWithoutNativeDays: ReadonlySet<SessionClass> = new Set(['fx', 'metals'])

/** Steps that candles of a timeframe can be made of, coarsest first. */
export function usableSteps(timeframe: Timeframe, sessionClass: SessionClass): readonly HistoryStep[] {
  const minutes = stepMinutesOf(timeframe)
  return historySteps.toReversed().filter((step) => {
    if (step === '1D') return minutes === undefined && !classesWithoutNativeDays.has(sessionClass)
    // Sources count four hours from midnight UTC; only there a session does too.
    if (step === '4h' && sessionClass !== 'crypto') return false
    return minutes === undefined || minutes % (stepMs[step] / minuteMs) === 0
  })
}

/** Steps that any timeframe can use, coarsest first. */
export function stepsOfClass(sessionClass: SessionClass): readonly HistoryStep[] {
  return historySteps
    .toReversed()
    .filter((step) =>
      (['1', '5', '15', '30', '240', '1M'] as const).some((timeframe) => usableSteps(timeframe, sessionClass).includes(step)),
    )
}

/** What the coverage of a step says about the time itself: days are stamped with their date, whenever they trade. */
export function coveredTime(step: HistoryStep, sessionClass: SessionClass, coverage: Coverage): readonly TimeSpan[] {
  const spans = coverage[step] ?? []
  if (step !== '1D') return spans
  return spans.map(({ fromMs, toMs }) => ({ fromMs: openFrom(sessionClass, fromMs), toMs: openFrom(sessionClass, toMs) }))
}

/** Opening of the first session with a date stamp from an instant on. */
function openFrom(sessionClass: SessionClass, stampMs: number): number {
  if (!Number.isFinite(stampMs)) return stampMs
  const date = dateOf(Math.ceil(stampMs / dayMs))
  const calendar = calendarOf(sessionClass)
  return (calendar.sessionOn(date) ?? calendar.nextSession(date))?.openMs ?? stampMs
}

/** The parts of spans that whole candles of a step fill. */
export function wholeCandles(step: HistoryStep, sessionClass: SessionClass, spans: readonly TimeSpan[]): TimeSpan[] {
  return spans
    .map(({ fromMs, toMs }) => ({
      fromMs: candleEdge(step, sessionClass, fromMs, 'up'),
      toMs: candleEdge(step, sessionClass, toMs, 'down'),
    }))
    .flatMap((span) => subtractSpans(span.fromMs < span.toMs ? [span] : [], cutHours(step, sessionClass, span)))
}

/** An instant, moved to the next end of a candle where it lies inside one. */
export function candleEdge(step: HistoryStep, sessionClass: SessionClass, ms: number, way: 'up' | 'down'): number {
  if (!Number.isFinite(ms)) return ms
  if (step === '1m') return (way === 'up' ? Math.ceil(ms / minuteMs) : Math.floor(ms / minuteMs)) * minuteMs
  const bucket = bucketOf(sessionClass, timeframeOfStep[step], ms)
  if (bucket === null || bucket.startMs === ms) return ms
  return way === 'up' ? bucket.endMs : bucket.startMs
}

/** Ends of sessions that close inside a clock hour: a source that trades on states the whole hour. */
function cutHours(step: HistoryStep, sessionClass: SessionClass, span: TimeSpan): TimeSpan[] {
  if (step === '1m' || !classesWithoutNativeDays.has(sessionClass)) return []
  return [...sessionsBetween(sessionClass, span)].flatMap(({ openMs, closeMs }) => {
    const restMs = (closeMs - openMs) % stepMs[step]
    return restMs === 0 ? [] : [{ fromMs: closeMs - restMs, toMs: closeMs }]
  })
}

/** Stamps of the candles in a span of time that `wholeCandles` gave. */
export function stampsOf(step: HistoryStep, sessionClass: SessionClass, { fromMs, toMs }: TimeSpan): TimeSpan {
  return step === '1D' ? { fromMs: dateFrom(sessionClass, fromMs), toMs: dateFrom(sessionClass, toMs) } : { fromMs, toMs }
}

/** Date stamp of the first session that opens at an instant or later. */
function dateFrom(sessionClass: SessionClass, ms: number): number {
  for (const { openMs, date } of sessionsBetween(sessionClass, { fromMs: ms, toMs: ms + 40 * dayMs }))
    if (openMs >= ms) return dayOf(date) * dayMs
  return Math.ceil(ms / dayMs) * dayMs
}

/** Instants between which the trades of a candle lie, from its stamp; undefined for a stamp that no candle has. */
export function timeOfCandle(sessionClass: SessionClass, timeframe: Timeframe, stampMs: number): TimeSpan | undefined {
  const isIntraday = stepMinutesOf(timeframe) !== undefined
  const date = dateOf(Math.floor(stampMs / dayMs))
  const calendar = calendarOf(sessionClass)
  const first = isIntraday ? null : (calendar.sessionOn(date) ?? (timeframe === '1D' ? null : calendar.nextSession(date)))
  const bucket = bucketOf(sessionClass, timeframe, first?.openMs ?? stampMs)
  return bucket === null ? undefined : { fromMs: bucket.startMs, toMs: bucket.endMs }
}

/** How far a candle's trades may lie before its stamp: a session may open on the evening before its date. */
export const stampLeadMs = 4 * hourMs

/** The same for a day, week or month: trading on a Globex holiday on a Friday counts to Monday. */
export const dayLeadMs = 4 * dayMs + stampLeadMs

/**
 * So long after the last trade the day of an exchange is not taken from a source: its official close is worked out only then (of an
 * index from the closes of its shares), and a day that is stored is not asked for again. Until then minutes make the day.
 */
const settlesMs: Readonly<Partial<Record<SessionClass, number>>> = {
  'nse-equity': 3 * stepMs['1h'],
  'nse-index': 3 * stepMs['1h'],
  'bse-index': 3 * stepMs['1h'],
}

/** When a candle of a step is over and final, epoch milliseconds: by the trading hours where they are known, else by its length. */
export function stepEndMs(step: HistoryStep, timeMs: number, sessionClass: SessionClass | null): number {
  const byLength = timeMs + stepMs[step]
  if (sessionClass === null || step === '1m') return byLength
  if (step !== '1D') return bucketOf(sessionClass, timeframeOfStep[step], timeMs)?.endMs ?? byLength
  const session = calendarOf(sessionClass).sessionOn(new Date(timeMs).toISOString().slice(0, 10))
  return session === null ? byLength : session.closeMs + (settlesMs[sessionClass] ?? 0)
}
