// Whether a span can contain candles: nights, weekends and holidays need no data to be complete.
import { dayMs } from '#shared/base/durations.ts'
import { subtractSpans, type TimeSpan } from '#shared/base/time-span.ts'
import { calendarOf } from './calendar.ts'
import { dateOf } from './day.ts'
import type { SessionClass } from './session-class.ts'
import type { Segment, Session } from './session.ts'

/** Sessions that overlap a span (epoch milliseconds), ascending. */
export function* sessionsBetween(sessionClass: SessionClass, { fromMs, toMs }: TimeSpan): Generator<Session> {
  const calendar = calendarOf(sessionClass)
  const date = dateOf(Math.max(0, Math.floor(fromMs / dayMs) - 1))
  let session = calendar.sessionOn(date) ?? calendar.nextSession(date)
  for (; session !== null && session.openMs < toMs; session = calendar.nextSession(session.date))
    if (session.closeMs > fromMs) yield session
}

/** Whether candles must exist in a span: of a closing auction only the print, of index closing values all or none. */
export function hasTrading(sessionClass: SessionClass, span: TimeSpan): boolean {
  const { fromMs, toMs } = span
  if (fromMs >= toMs) return false
  for (const { segments } of sessionsBetween(sessionClass, span)) if (segments.some((segment) => needsCandles(segment, span))) return true
  return false
}

function needsCandles(segment: Segment, { fromMs, toMs }: TimeSpan): boolean {
  if (segment.kind === 'closing-auction') return segment.printMs >= fromMs && segment.printMs < toMs
  const isOverlap = segment.startMs < toMs && segment.endMs > fromMs
  return isOverlap && !(segment.kind === 'closing-values' && fromMs <= segment.startMs && toMs >= segment.endMs)
}

/** Parts of a span outside `covered` that can contain candles. */
export function tradingGaps(sessionClass: SessionClass, span: TimeSpan, covered: readonly TimeSpan[]): TimeSpan[] {
  return subtractSpans([span], covered).filter((gap) => hasTrading(sessionClass, gap))
}

/** Start of the covered time without a trading gap up to an instant; the instant itself if there is none. */
export function coveredSince(sessionClass: SessionClass, atMs: number, covered: readonly TimeSpan[]): number {
  let sinceMs = atMs
  for (const { fromMs, toMs } of covered.toReversed()) {
    if (fromMs >= sinceMs) continue
    if (toMs < sinceMs && hasTrading(sessionClass, { fromMs: toMs, toMs: sinceMs })) break
    sinceMs = fromMs
  }
  return sinceMs
}
