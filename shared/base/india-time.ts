// Indian time: one offset all year, so no zone has to be looked up.

export const indianZone = 'Asia/Kolkata'

const indiaOffsetMs = 19_800_000

/** Start of a day in India, such as 2026-11-20, as epoch milliseconds. */
export function indianDayStartMs(date: string): number {
  return Date.parse(`${date}T00:00:00+05:30`)
}

/** Date in India, such as 2026-11-20. */
export function indiaDate(ms: number): string {
  return new Date(ms + indiaOffsetMs).toISOString().slice(0, 10)
}

/** Date and time in India, such as 2026-11-20 09:15:00. */
export function indiaText(ms: number): string {
  return new Date(ms + indiaOffsetMs).toISOString().slice(0, 19).replace('T', ' ')
}

/** 00:00 UTC of the date in India: the stamp of that day's candle. */
export function indiaDayStampMs(ms: number): number {
  return Date.parse(`${indiaDate(ms)}T00:00:00Z`)
}

const stampPattern = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2}))?(?:\+05:?30)?$/

/** Reads `2026-11-20T09:15:00+0530`, the same with a blank, without an offset or without a time; NaN for all else. */
export function readIndiaText(text: string): number {
  const [, date, time = '00:00:00'] = stampPattern.exec(text) ?? []
  return date === undefined ? Number.NaN : Date.parse(`${date}T${time}+05:30`)
}
