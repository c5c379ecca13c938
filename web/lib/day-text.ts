// Days as people in India write them, dd/mm/yyyy, and the ISO dates of addresses and calls.
import { dayMs } from '#shared/base/durations.ts'
import { twoDigits } from '#shared/base/two-digits.ts'

/** '05/01/2026' for '2026-01-05'; empty for the empty string. */
export function dayText(day: string): string {
  return day.split('-').toReversed().join('/')
}

/** The ISO date of a typed day with a year of four digits, such as 5/1/2026, 05-01-2026 or 05012026; undefined for any other text. */
export function readDay(typed: string): string | undefined {
  const [, days, months, year] =
    /^(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4})$/.exec(typed.trim()) ?? /^(\d{2})(\d{2})(\d{4})$/.exec(typed.trim()) ?? []
  if (days === undefined || months === undefined || year === undefined) return undefined
  const day = `${year}-${twoDigits(Number(months))}-${twoDigits(Number(days))}`
  return isDay(day) ? day : undefined
}

/** True for an ISO date that exists. */
export function isDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`)
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(ms) && isoOf(ms) === day
}

/**
 * The typed text with slashes after day and month, where something was added at its end. A separator typed after such a slash is
 * that slash.
 */
export function withSlashes(typed: string, before: string): string {
  if (!typed.startsWith(before)) return typed
  if (before.endsWith('/') && /^[/.\- ]$/.test(typed.slice(before.length))) return before
  const split = typed.replace(/^(\d{2})(\d)$/, '$1/$2').replace(/^(\d{1,2}\/\d{2})(\d)$/, '$1/$2')
  return /^(\d{2}|\d{1,2}\/\d{2})$/.test(split) ? `${split}/` : split
}

export function addDays(day: string, count: number): string {
  return isoOf(Date.parse(`${day}T00:00:00Z`) + count * dayMs)
}

/** The same day of another month, or its last day. */
export function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate()
  return isoOf(Date.UTC(year, month - 1 + count, Math.min(date, last)))
}

/** The days of the weeks, from Sunday, that hold the month of a day. */
export function weeksOf(day: string): readonly (readonly string[])[] {
  const first = `${day.slice(0, 7)}-01`
  const start = addDays(first, -weekdayOf(first))
  const end = addDays(addMonths(first, 1), -1)
  const weeks: string[][] = []
  for (let week = start; week <= end; week = addDays(week, 7)) weeks.push(Array.from({ length: 7 }, (_, index) => addDays(week, index)))
  return weeks
}

/** 0 for Sunday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay()
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
