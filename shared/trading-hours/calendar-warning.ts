// Warns before a calendar runs out, so that next year's holidays can be imported in time.
import { dayOf } from './day.ts'
import { calendarSourceOf, type ExchangeCalendar } from './exchange-calendar.ts'
import type { SessionClass } from './session-class.ts'

const warnWithinDays = 90

/** Last date with known holidays and special hours; null if the rules hold for every year. */
export function knownUntil({ coveredUntil, shortDaysUntil }: ExchangeCalendar): string | null {
  return coveredUntil ?? shortDaysUntil
}

/**
 * Full days that the calendar of a session class still covers after today (its own date at `nowMs`, epoch
 * milliseconds), 0 from its last day on; null while more than 90 are left, and where the rules hold for every year.
 */
export function calendarWarning(sessionClass: SessionClass, nowMs: number): { readonly daysLeft: number } | null {
  const { exchange } = calendarSourceOf(sessionClass)
  const until = knownUntil(exchange)
  if (until === null) return null
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(exchange.zone).toPlainDate().toString()
  const daysLeft = Math.max(0, dayOf(until) - dayOf(today))
  return daysLeft <= warnWithinDays ? { daysLeft } : null
}
