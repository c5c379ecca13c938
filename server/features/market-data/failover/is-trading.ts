// Whether a market trades now.
import { calendarOf } from '#shared/trading-hours/calendar.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'

/** Whether prices are expected: a closing auction has none until its end. */
export function isTrading(sessionClass: SessionClass, ms: number): boolean {
  const segments = calendarOf(sessionClass).sessionAt(ms)?.segments ?? []
  return segments.some(({ kind, startMs, endMs }) => kind === 'continuous' && ms >= startMs && ms < endMs)
}
