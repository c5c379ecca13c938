// Warnings about calendars that run out soon.
import type { MarketCalendar } from '#shared/market-admin/contract.ts'
import { adminMarketText as text } from '#shared/market-admin/text/en.ts'
import { indiaDate } from '#web/lib/india-date.ts'

/** For example NSE. */
export function calendarName({ sessionClasses }: Pick<MarketCalendar, 'sessionClasses'>): string {
  return [...new Set(sessionClasses.map((sessionClass) => text.calendarNames[sessionClass]))].join(', ')
}

/** '31 Dec 2026' for 2026-12-31. */
export function calendarDate(date: string): string {
  return indiaDate(date)
}

/** One warning for each calendar that runs out within 90 days, in the given order. */
export function calendarWarnings(calendars: readonly MarketCalendar[]): readonly string[] {
  return calendars.flatMap((calendar) => {
    const { daysLeft, coveredUntil } = calendar
    if (daysLeft === null || coveredUntil === null) return []
    const name = calendarName(calendar)
    return [daysLeft > 0 ? text.calendarEnds(name, daysLeft) : text.calendarEnded(name, calendarDate(coveredUntil))]
  })
}
