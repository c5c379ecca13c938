// Days of India in words.
import { calendarText } from '#shared/base/text/en.ts'
import { indiaIsoDate } from './india-time.ts'

/** '21 Nov 2026' for an ISO timestamp or date. */
export function indiaDayText(iso: string): string {
  const [year, month, day] = indiaIsoDate(Date.parse(iso)).split('-')
  return `${day} ${calendarText.months[Number(month) - 1]} ${year}`
}
