// Date and 12-hour clock of the header, in a time zone.
import { calendarText } from '#shared/base/text/en.ts'
import { timeOfDay } from './time-of-day.ts'

const { months, weekdays } = calendarText
const widestTime = '12:00:00 AM'.length
const indianZones: readonly string[] = ['Asia/Kolkata', 'Asia/Calcutta']

export interface ClockTexts {
  /** For example `Sat, 21 Nov 2026`. */
  readonly date: string
  /** For example `02:05:09 PM`; always the same width. */
  readonly time: string
  /** Machine-readable, for example `2026-11-21`. */
  readonly isoDate: string
}

/** Date, time with seconds and UTC offset, for example `22 Nov 2026, 11:15:09 PM UTC+05:30`: unambiguous. */
export function stampText(nowMs: number, zone: string): string {
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone)
  const time = timeOfDay(now.hour, now.minute, now.second)
  return `${now.day} ${months[now.month - 1]} ${now.year}, ${time} UTC${now.offset === '+00:00' ? '' : now.offset}`
}

/** Short name of a zone at an instant, for example `IST`, `UTC+1` or `UTC-3:30`. */
export function zoneName(zone: string, nowMs: number): string {
  if (indianZones.includes(zone)) return 'IST'
  const { offset } = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone)
  const [, sign = '', hours = '', minutes = ''] = /^([+-])0?(\d+):(\d\d)/.exec(offset) ?? []
  if (hours === '0' && minutes === '00') return 'UTC'
  return `UTC${sign}${hours}${minutes === '00' ? '' : `:${minutes}`}`
}

/** Date and time at an instant (epoch milliseconds) in an IANA zone. */
export function clockTexts(nowMs: number, zone: string): ClockTexts {
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone)
  return {
    date: `${weekdays[now.dayOfWeek - 1]}, ${now.day} ${months[now.month - 1]} ${now.year}`,
    time: timeOfDay(now.hour, now.minute, now.second).padStart(widestTime, '0'),
    isoDate: now.toPlainDate().toString(),
  }
}
