// Formats a market's opening time for header and badges.
import { twoDigits } from '#shared/base/pad.ts'
import { weekdays } from '#shared/base/clock.ts'

/** Weekday and time such as `Mon 03:30` of an instant (epoch milliseconds), in an IANA zone. */
export function openingTime(opensAtMs: number, zone: string): string {
  const opening = Temporal.Instant.fromEpochMilliseconds(opensAtMs).toZonedDateTimeISO(zone)
  return `${weekdays[opening.dayOfWeek - 1]} ${[opening.hour, opening.minute].map(twoDigits).join(':')}`
}
