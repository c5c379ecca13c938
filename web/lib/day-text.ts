// Days as people in India write them, dd/mm/yyyy, and the ISO dates of addresses and calls.
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
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === day
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
