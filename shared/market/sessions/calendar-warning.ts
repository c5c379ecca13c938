// Tells in time that somebody must enter the next year's holidays.
import { dayOf } from './days.ts'
import { calendarSources, type ExchangeCalendar } from './exchange-calendar.ts'
import type { SessionClass } from './session-class.ts'

const warnBelowDays = 30

/** Last date of which all holidays and all days with other hours are known; null where the rules hold for every year. */
export function knownUntil({ coveredUntil, shortDaysUntil }: ExchangeCalendar): string | null {
  return coveredUntil ?? shortDaysUntil
}

/**
 * Full days that the calendar of a session class still covers after today (its own date at `nowMs`, epoch
 * milliseconds), 0 from its last day on; null while 30 or more are left, and where the rules hold for every year.
 */
export function calendarWarning(sessionClass: SessionClass, nowMs: number): { readonly daysLeft: number } | null {
  const { exchange } = calendarSources[sessionClass]
  const until = knownUntil(exchange)
  if (until === null) return null
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(exchange.zone).toPlainDate().toString()
  const daysLeft = Math.max(0, dayOf(until) - dayOf(today))
  return daysLeft < warnBelowDays ? { daysLeft } : null
}
