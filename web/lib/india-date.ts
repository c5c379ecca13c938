// Formats dates and times in India, and ages.
import { indiaDayText } from '#shared/base/india-day-text.ts'
import { indiaTime } from '#shared/base/india-time.ts'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { timeOfDay } from '#shared/base/time-of-day.ts'
import { kitText } from '#shared/base/text/en-kit.ts'

export const none = '–'

/** '21 Nov 2026' for an ISO timestamp or date, an en dash for null. */
export function indiaDate(iso: string | null): string {
  return iso === null ? none : indiaDayText(iso)
}

/** '21 Nov 2026, 9:05 AM' for an ISO timestamp. */
export function indiaDateTime(iso: string): string {
  const [, hour, minute] = indiaTime(Date.parse(iso)).split(/[ :]/)
  return `${indiaDate(iso)}, ${timeOfDay(Number(hour), Number(minute))}`
}

/** Age: 'now' below a minute, then whole minutes, hours or days, for example '5 min', '3 h', '2 d'. */
export function ageText(iso: string, nowMs: number): string {
  const ageMs = nowMs - Date.parse(iso)
  if (ageMs < minuteMs) return kitText.ageNow
  if (ageMs < hourMs) return kitText.ageMinutes(Math.floor(ageMs / minuteMs))
  return ageMs < dayMs ? kitText.ageHours(Math.floor(ageMs / hourMs)) : kitText.ageDays(Math.floor(ageMs / dayMs))
}
