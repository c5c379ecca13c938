// Start and end of premium: calendar months on the anchor day in Indian time, so that no paid day is lost.
import { indiaZone } from '#shared/base/india-time.ts'

export interface Term {
  readonly startMs: number
  readonly endMs: number
  /** Day of the month for end dates, clamped in short months and kept, so that 31 January leads back to 31 March. */
  readonly anchorDay: number
}

/** A new term of whole months from now. */
export function firstTerm(nowMs: number, months: number): Term {
  const anchorDay = inIndia(nowMs).day
  return { startMs: nowMs, endMs: addMonths(nowMs, months, anchorDay), anchorDay }
}

/** The term after acceptance: extends a running term, or starts now. */
export function termAfter(current: Term | undefined, nowMs: number, months: number): Term {
  if (current === undefined || current.endMs <= nowMs) return firstTerm(nowMs, months)
  return { ...current, endMs: addMonths(current.endMs, months, current.anchorDay) }
}

/**
 * `months` calendar months after an instant, on the anchor day or the last day of a shorter month, at the same time of
 * day in Indian time. Whole months; 31 January + 1 = 28 or 29 February, + 2 = 31 March.
 */
export function addMonths(fromMs: number, months: number, anchorDay: number): number {
  const from = inIndia(fromMs)
  const month = from.toPlainDate().with({ day: 1 }).add({ months })
  const date = month.with({ day: Math.min(anchorDay, month.daysInMonth) })
  return date.toZonedDateTime({ timeZone: indiaZone, plainTime: from.toPlainTime() }).epochMilliseconds
}

function inIndia(atMs: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(indiaZone)
}
