// End of a daily Zerodha session.
import { dayMs, hourMs, minuteMs } from '../base/durations.ts'

/** 06:00 in India. */
const endOfDayMs = 6 * hourMs
const indiaOffsetMs = 5 * hourMs + 30 * minuteMs

/** The next 06:00 in India after an instant, epoch milliseconds. */
export function kiteSessionEndMs(loginMs: number): number {
  const sinceMs = loginMs + indiaOffsetMs - endOfDayMs
  return (Math.floor(sinceMs / dayMs) + 1) * dayMs + endOfDayMs - indiaOffsetMs
}
