// When a market opens, as the header and the badges show it.
import { twoDigits } from '../../base/two-digits.ts'
import { weekdays } from '../clock.ts'

/** Weekday and time such as `Mon 03:30` of an instant (epoch milliseconds), on the clock of an IANA zone. */
export function openingTime(opensAtMs: number, zone: string): string {
  const opening = Temporal.Instant.fromEpochMilliseconds(opensAtMs).toZonedDateTimeISO(zone)
  return `${weekdays[opening.dayOfWeek - 1]} ${[opening.hour, opening.minute].map(twoDigits).join(':')}`
}
