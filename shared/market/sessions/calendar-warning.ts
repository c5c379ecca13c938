// Warns in time that next year's holidays must be loaded.
import { dayOf } from './days.ts'
import { calendarSources, type ExchangeCalendar } from './exchange-calendar.ts'
import type { SessionClass } from './session-class.ts'

const warnWithinDays = 90

/** Last date of which all holidays and all days with other hours are known; null where the rules hold for every year. */
export function knownUntil({ coveredUntil, shortDaysUntil }: ExchangeCalendar): string | null {
  return coveredUntil ?? shortDaysUntil
}

/**
 * Full days that the calendar of a session class still covers after today (its own date at `nowMs`, epoch
 * milliseconds), 0 from its last day on; null while more than 90 are left, and where the rules hold for every year.
 */
export function calendarWarning(sessionClass: SessionClass, nowMs: number): { readonly daysLeft: number } | null {
  const { exchange } = calendarSources[sessionClass]
  const until = knownUntil(exchange)
  if (until === null) return null
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(exchange.zone).toPlainDate().toString()
  const daysLeft = Math.max(0, dayOf(until) - dayOf(today))
  return daysLeft <= warnWithinDays ? { daysLeft } : null
}
