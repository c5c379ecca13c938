// Formats a market's opening time for header and badges.
import { timeOfDay } from '#shared/base/time-of-day.ts'
import { calendarText } from '#shared/base/text/en.ts'

/** Weekday and time such as `Mon 3:30 AM` of an instant (epoch milliseconds), in an IANA zone. */
export function openingTime(opensAtMs: number, zone: string): string {
  const opening = Temporal.Instant.fromEpochMilliseconds(opensAtMs).toZonedDateTimeISO(zone)
  return `${calendarText.weekdays[opening.dayOfWeek - 1]} ${timeOfDay(opening.hour, opening.minute)}`
}
