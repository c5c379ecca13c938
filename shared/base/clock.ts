// Date and 12-hour clock of the header, in a time zone.
import { twoDigits } from './pad.ts'

export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

export interface ClockTexts {
  /** For example `Sat, 21 Nov 2026`. */
  readonly date: string
  /** For example `02:05:09 PM`; always the same width. */
  readonly time: string
  /** Machine-readable, for example `2026-11-21`. */
  readonly isoDate: string
}

/** Date, time with seconds and UTC offset, for example `22 Nov 2026, 23:15:09 UTC+05:30`: unambiguous. */
export function stampText(nowMs: number, zone: string): string {
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone)
  const time = [now.hour, now.minute, now.second].map(twoDigits).join(':')
  return `${now.day} ${months[now.month - 1]} ${now.year}, ${time} UTC${now.offset === '+00:00' ? '' : now.offset}`
}

/** Date and time at an instant (epoch milliseconds) in an IANA zone. */
export function clockTexts(nowMs: number, zone: string): ClockTexts {
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone)
  const hour = now.hour % 12 === 0 ? 12 : now.hour % 12
  return {
    date: `${weekdays[now.dayOfWeek - 1]}, ${now.day} ${months[now.month - 1]} ${now.year}`,
    time: `${[hour, now.minute, now.second].map(twoDigits).join(':')} ${now.hour < 12 ? 'AM' : 'PM'}`,
    isoDate: now.toPlainDate().toString(),
  }
}
