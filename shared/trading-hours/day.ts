// Calendar dates as day numbers since 1970-01-01, for arithmetic without time zones.
import { dayMs } from '#shared/base/durations.ts'

/** Day number of a date such as `2026-11-21`; NaN if it is invalid. */
export function dayOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / dayMs
}

/** Date of a day number. */
export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/** 1 is Monday and 7 is Sunday. */
export function weekdayOf(day: number): number {
  // Day 0 was a Thursday.
  return ((day + 3) % 7) + 1
}
