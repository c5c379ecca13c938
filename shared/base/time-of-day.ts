// The one format of a time of day: 12 hours, as on the header's clock.
import { calendarText } from '#shared/base/text/en.ts'
import { twoDigits } from './two-digits.ts'

/** For example `2:05 PM`, or `2:05:09 PM` with seconds; the hour is 0 to 23. */
export function timeOfDay(hour: number, minute: number, second?: number): string {
  const seconds = second === undefined ? '' : `:${twoDigits(second)}`
  return `${hour % 12 === 0 ? 12 : hour % 12}:${twoDigits(minute)}${seconds} ${hour < 12 ? calendarText.am : calendarText.pm}`
}
