// Which stored steps build the candles of a timeframe, and which whole candles of a step are in a time span.
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { subtractSpans, type TimeSpan } from '#shared/base/time-span.ts'
import { bucketOf } from '#shared/candles/bucketer.ts'
import { calendarOf } from '#shared/trading-hours/calendar.ts'
import { dateOf, dayOf } from '#shared/trading-hours/day.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { sessionsBetween } from '#shared/trading-hours/trading-gaps.ts'
import { stepMinutesOf, type Timeframe } from '#shared/candles/timeframe.ts'
import { historySteps, stepMs, timeframeOfStep, type HistoryStep } from './feed.ts'

/**
 * Fully stored spans of timestamps by step: missing candles there had no trades.
 * Ascending; adjacent spans are merged.
 */
export type Coverage = Readonly<Partial<Record<HistoryStep, readonly TimeSpan[]>>>

/** Days of these classes end at 17:00 in New York, but no source cuts its days there. */
const classesWithoutNativeDays: ReadonlySet<SessionClass> = new Set(['fx', 'metals'])

/** Steps that can build the candles of a timeframe, coarsest first. */
export function usableSteps(timeframe: Timeframe, sessionClass: SessionClass): readonly HistoryStep[] {
  const minutes = stepMinutesOf(timeframe)
  return historySteps.toReversed().filter((step) => {
    if (step === '1D') return minutes === undefined && !classesWithoutNativeDays.has(sessionClass)
    // Sources align four-hour candles to midnight UTC; only here sessions do too.
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

/** The time that the coverage of a step means: days are stamped with their date, whatever their hours. */
export function coveredTime(step: HistoryStep, sessionClass: SessionClass, coverage: Coverage): readonly TimeSpan[] {
  const spans = coverage[step] ?? []
  if (step !== '1D') return spans
  return spans.map(({ fromMs, toMs }) => ({ fromMs: openFrom(sessionClass, fromMs), toMs: openFrom(sessionClass, toMs) }))
}

/** Opening of the first session with a date stamp at or after an instant. */
function openFrom(sessionClass: SessionClass, stampMs: number): number {
  if (!Number.isFinite(stampMs)) return stampMs
  const date = dateOf(Math.ceil(stampMs / dayMs))
  const calendar = calendarOf(sessionClass)
  return (calendar.sessionOn(date) ?? calendar.nextSession(date))?.openMs ?? stampMs
}

/** The parts of spans that are filled by whole candles of a step. */
export function wholeCandles(step: HistoryStep, sessionClass: SessionClass, spans: readonly TimeSpan[]): TimeSpan[] {
  return spans
    .map(({ fromMs, toMs }) => ({
      fromMs: candleEdge(step, sessionClass, fromMs, 'up'),
      toMs: candleEdge(step, sessionClass, toMs, 'down'),
    }))
    .flatMap((span) => subtractSpans(span.fromMs < span.toMs ? [span] : [], cutHours(step, sessionClass, span)))
}

/** An instant, moved to the next candle end if it is inside one. */
export function candleEdge(step: HistoryStep, sessionClass: SessionClass, ms: number, way: 'up' | 'down'): number {
  if (!Number.isFinite(ms)) return ms
  if (step === '1m') return (way === 'up' ? Math.ceil(ms / minuteMs) : Math.floor(ms / minuteMs)) * minuteMs
  const bucket = bucketOf(sessionClass, timeframeOfStep[step], ms)
  if (bucket === null || bucket.startMs === ms) return ms
  return way === 'up' ? bucket.endMs : bucket.startMs
}

/** Ends of sessions that close within a clock hour: a source that continues trading returns the whole hour. */
function cutHours(step: HistoryStep, sessionClass: SessionClass, span: TimeSpan): TimeSpan[] {
  if (step === '1m' || !classesWithoutNativeDays.has(sessionClass)) return []
  return [...sessionsBetween(sessionClass, span)].flatMap(({ openMs, closeMs }) => {
    const restMs = (closeMs - openMs) % stepMs[step]
    return restMs === 0 ? [] : [{ fromMs: closeMs - restMs, toMs: closeMs }]
  })
}

/** Timestamps of the candles in a span returned by `wholeCandles`. */
export function stampsOf(step: HistoryStep, sessionClass: SessionClass, { fromMs, toMs }: TimeSpan): TimeSpan {
  return step === '1D' ? { fromMs: dateFrom(sessionClass, fromMs), toMs: dateFrom(sessionClass, toMs) } : { fromMs, toMs }
}

/** Date stamp of the first session that opens at or after an instant. */
function dateFrom(sessionClass: SessionClass, ms: number): number {
  for (const { openMs, date } of sessionsBetween(sessionClass, { fromMs: ms, toMs: ms + 40 * dayMs }))
    if (openMs >= ms) return dayOf(date) * dayMs
  return Math.ceil(ms / dayMs) * dayMs
}

/** The trading time of a candle, from its timestamp; undefined for an invalid timestamp. */
export function timeOfCandle(sessionClass: SessionClass, timeframe: Timeframe, stampMs: number): TimeSpan | undefined {
  const isIntraday = stepMinutesOf(timeframe) !== undefined
  const date = dateOf(Math.floor(stampMs / dayMs))
  const calendar = calendarOf(sessionClass)
  const first = isIntraday ? null : (calendar.sessionOn(date) ?? (timeframe === '1D' ? null : calendar.nextSession(date)))
  const bucket = bucketOf(sessionClass, timeframe, first?.openMs ?? stampMs)
  return bucket === null ? undefined : { fromMs: bucket.startMs, toMs: bucket.endMs }
}

/** How far a candle's trades may precede its timestamp: a session may open on the evening before its date. */
export const stampLeadMs = 4 * hourMs

/** The same for a day, week or month: trading on a Globex holiday on a Friday counts to Monday. */
export const dayLeadMs = 4 * dayMs + stampLeadMs

/**
 * Delay after the last trade until an exchange's daily candle is taken from a source: its official close is calculated later (for
 * an index from the closes of its shares), and a stored day is not requested again. Until then the day is built from minutes.
 */
const settlesMs: Readonly<Partial<Record<SessionClass, number>>> = {
  'nse-equity': 3 * stepMs['1h'],
  'nse-index': 3 * stepMs['1h'],
  'bse-index': 3 * stepMs['1h'],
}

/** When a candle of a step is final, epoch milliseconds: by the trading hours if known, else by its length. */
export function stepEndMs(step: HistoryStep, timeMs: number, sessionClass: SessionClass | null): number {
  const byLength = timeMs + stepMs[step]
  if (sessionClass === null || step === '1m') return byLength
  if (step !== '1D') return bucketOf(sessionClass, timeframeOfStep[step], timeMs)?.endMs ?? byLength
  const session = calendarOf(sessionClass).sessionOn(new Date(timeMs).toISOString().slice(0, 10))
  return session === null ? byLength : session.closeMs + (settlesMs[sessionClass] ?? 0)
}

/** Start of a session, or of a month for long candles, at or before an instant, so that no candle is cut. */
export function alignedStart(step: HistoryStep, sessionClass: SessionClass, ms: number): number {
  const day = Math.max(0, Math.floor(ms / dayMs))
  if (stepMs[step] < hourMs) return calendarOf(sessionClass).sessionAt(ms)?.openMs ?? ms
  const monthDay = dayOf(`${dateOf(day).slice(0, 7)}-01`)
  if (step === '1D') return monthDay * dayMs
  const month = { fromMs: monthDay * dayMs, toMs: (monthDay + 31) * dayMs }
  for (const session of sessionsBetween(sessionClass, month)) if (session.date >= dateOf(monthDay)) return Math.min(ms, session.openMs)
  return month.fromMs
}

/** First timestamp at or after an instant. Days are stamped with their date, which may be inside their session. */
export function firstStamp(step: HistoryStep, sessionClass: SessionClass, ms: number): number {
  return step === '1D' ? Math.ceil(ms / dayMs) * dayMs : candleEdge(step, sessionClass, ms, 'up')
}

/** Timestamp up to which the candles of a step are certainly closed at an instant. */
export function settledUntil(step: HistoryStep, sessionClass: SessionClass, ms: number): number {
  if (step !== '1D') return candleEdge(step, sessionClass, ms, 'down')
  for (let day = Math.floor(ms / dayMs) + 1; day >= 0; day -= 1)
    if (calendarOf(sessionClass).sessionOn(dateOf(day)) !== null && stepEndMs('1D', day * dayMs, sessionClass) <= ms)
      return (day + 1) * dayMs
  return 0
}
