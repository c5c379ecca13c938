// Indian time: a fixed offset, so no time-zone lookup is needed.
import { dayMs } from './durations.ts'

export const indiaZone = 'Asia/Kolkata'

const indiaOffsetMs = 19_800_000

/** Start of a day in India, for example 2026-11-20, as epoch milliseconds. */
export function indiaDayStartMs(date: string): number {
  return Date.parse(`${date}T00:00:00+05:30`)
}

/** Date in India, for example 2026-11-20. */
export function indiaIsoDate(ms: number): string {
  return new Date(ms + indiaOffsetMs).toISOString().slice(0, 10)
}

/** Date and time in India, for example 2026-11-20 09:15:00. */
export function indiaTime(ms: number): string {
  return new Date(ms + indiaOffsetMs).toISOString().slice(0, 19).replace('T', ' ')
}

/** Number of the day in India, from 0 for 1970-01-01. */
export function indiaDayNumber(ms: number): number {
  return Math.floor((ms + indiaOffsetMs) / dayMs)
}

/** 00:00 UTC of the date in India: the timestamp of that day's candle. */
export function indiaDayStampMs(ms: number): number {
  return Date.parse(`${indiaIsoDate(ms)}T00:00:00Z`)
}

const stampPattern = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2}))?(?:\+05:?30)?$/

/** Parses `2026-11-20T09:15:00+0530`, also with a space, without an offset or without a time; NaN for anything else. */
export function parseIndiaTime(text: string): number {
  const [, date, time = '00:00:00'] = stampPattern.exec(text) ?? []
  return date === undefined ? Number.NaN : Date.parse(`${date}T${time}+05:30`)
}
