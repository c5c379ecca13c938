// Time left in a candle: a pure function of timeframe, instant and zone.
import { minuteMs } from '../base/durations.ts'
import { countdownText } from './countdown-text.ts'
import { stepMinutesOf, parseTimeframe, type Timeframe } from './timeframe.ts'

export interface Countdown {
  /** Milliseconds until the candle ends; always above 0. */
  readonly remainingMs: number
  /** The same, rounded up to seconds; always the same width for a timeframe. */
  readonly text: string
}

const dayMinutes = 24 * 60
const weekAheadDays = 7

/**
 * Countdown of a timeframe code at an instant (epoch milliseconds) on the clock of an IANA zone.
 * Minutes and hours end at whole steps of that clock, 1D at its next midnight, 1W and 1M at the midnight
 * seven days ahead; an unknown code counts as the default. For charts without trading hours;
 * all others use `candleCountdown`.
 */
export function countdown(code: string, nowMs: number, zone: string): Countdown {
  const timeframe = parseTimeframe(code)
  const remainingMs = candleEndMs(timeframe, nowMs, zone) - nowMs
  return { remainingMs, text: countdownText(timeframe, remainingMs) }
}

function candleEndMs(timeframe: Timeframe, nowMs: number, zone: string): number {
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone)
  const step = stepMinutesOf(timeframe)
  if (step === undefined) return midnightMs(now, timeframe === '1D' ? 1 : weekAheadDays)
  // Up to an hour a clock change does not matter: an hourly candle always has 60 minutes.
  return step <= 60 ? nowMs + step * minuteMs - sinceStepMs(now, step) : wallBoundaryMs(now, step)
}

/** Start of the day this many days ahead, which is not 00:00 if a clock change skips it. */
function midnightMs(now: Temporal.ZonedDateTime, daysAhead: number): number {
  return now.toPlainDate().add({ days: daysAhead }).toZonedDateTime(now.timeZoneId).epochMilliseconds
}

function sinceStepMs(now: Temporal.ZonedDateTime, step: number): number {
  return (now.minute % step) * minuteMs + now.second * 1000 + now.millisecond
}

function wallBoundaryMs(now: Temporal.ZonedDateTime, step: number): number {
  const boundary = (Math.floor((now.hour * 60 + now.minute) / step) + 1) * step
  if (boundary >= dayMinutes) return midnightMs(now, 1)
  const wall = now.toPlainDate().toPlainDateTime({ hour: Math.floor(boundary / 60), minute: boundary % 60 })
  const end = wall.toZonedDateTime(now.timeZoneId).epochMilliseconds
  // When the clock repeats the boundary, the first occurrence may already be over.
  return end > now.epochMilliseconds ? end : wall.toZonedDateTime(now.timeZoneId, { disambiguation: 'later' }).epochMilliseconds
}
