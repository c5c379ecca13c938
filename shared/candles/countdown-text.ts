// Formats a remaining time, in the format of its timeframe.
import { twoDigits } from '../base/two-digits.ts'
import { stepMinutesOf, type Timeframe } from './timeframe.ts'

/**
 * `MM:SS` below an hour's timeframe, `HH:MM:SS` up to a day's, `Nd HH:MM:SS` above; milliseconds are rounded
 * up to seconds. Below an hour's timeframe the time must be shorter than an hour.
 */
export function countdownText(timeframe: Timeframe, remainingMs: number): string {
  const seconds = Math.ceil(remainingMs / 1000)
  const clock = [Math.floor(seconds / 60) % 60, seconds % 60].map(twoDigits).join(':')
  const hours = Math.floor(seconds / 3600)
  const step = stepMinutesOf(timeframe)
  if (step !== undefined && step < 60) return clock
  if (step !== undefined || timeframe === '1D') return `${twoDigits(hours)}:${clock}`
  return `${Math.floor(hours / 24)}d ${twoDigits(hours % 24)}:${clock}`
}
