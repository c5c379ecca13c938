// Formats dates and times in India, and ages.
import { indianZone } from '#shared/base/india-time.ts'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { kitText } from '#shared/text/en/kit.ts'

const zone = { timeZone: indianZone } as const
const dayFormat = new Intl.DateTimeFormat('en-GB', { ...zone, day: '2-digit', month: 'short', year: 'numeric' })
const timeFormat = new Intl.DateTimeFormat('en-GB', { ...zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

export const none = '–'

/** '21 Nov 2026' for an ISO timestamp or date, an en dash for null. */
export function indiaDate(iso: string | null): string {
  if (iso === null) return none
  const part = partsOf(iso)
  return `${part('day')} ${(part('month') ?? '').slice(0, 3)} ${part('year')}`
}

/** '21 Nov 2026, 09:05' for an ISO timestamp. */
export function indiaDateTime(iso: string): string {
  return `${indiaDate(iso)}, ${timeFormat.format(new Date(iso))}`
}

/** Age: 'now' below a minute, then whole minutes, hours or days, for example '5 min', '3 h', '2 d'. */
export function ageText(iso: string, nowMs: number): string {
  const ageMs = nowMs - Date.parse(iso)
  if (ageMs < minuteMs) return kitText.ageNow
  if (ageMs < hourMs) return kitText.ageMinutes(Math.floor(ageMs / minuteMs))
  return ageMs < dayMs ? kitText.ageHours(Math.floor(ageMs / hourMs)) : kitText.ageDays(Math.floor(ageMs / dayMs))
}

function partsOf(iso: string) {
  const parts = dayFormat.formatToParts(new Date(iso))
  return (type: string) => parts.find((part) => part.type === type)?.value
}
