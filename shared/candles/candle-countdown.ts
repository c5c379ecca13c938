// Countdown of the header: time left in the current candle, or when the market opens.
import { marketText } from '#shared/chart/text/en-shell.ts'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import { type Timeframe, stepMinutesOf, parseTimeframe } from './timeframe.ts'
import { bucketOf } from './bucketer.ts'
import { calendarOf } from '#shared/trading-hours/calendar.ts'
import { marketStateAt, openingTime } from '#shared/trading-hours/market-state.ts'
import { periodOf } from './period.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { Session } from '#shared/trading-hours/session.ts'
import { twoDigits } from '#shared/base/two-digits.ts'

export type CandleCountdown =
  | {
      readonly kind: 'running'
      /** Milliseconds until the candle ends; always above 0. */
      readonly remainingMs: number
      readonly text: string
    }
  | {
      readonly kind: 'closed'
      /** Null if the calendar has run out. */
      readonly opensAtMs: number | null
      /** Name of the holiday on which the market is closed, or null. */
      readonly reason: string | null
      readonly text: string
    }

interface Moment {
  /** Epoch milliseconds, by the server's clock. */
  readonly nowMs: number
  /** IANA zone for opening times. */
  readonly zone: string
}

/**
 * Countdown of a session class and timeframe. A candle ends with its bucket, one of 1W or 1M
 * with the first opening of the next week or month. Outside trading hours every timeframe shows the opening instead.
 */
export function candleCountdown(sessionClass: SessionClass, timeframe: Timeframe, moment: Moment): CandleCountdown {
  const state = marketStateAt(sessionClass, moment.nowMs)
  if (state.kind === 'closed') return { ...state, text: openingText(state.opensAtMs, moment) }
  const bucket = bucketOf(sessionClass, timeframe, moment.nowMs)
  const endMs = nextPeriodMs(sessionClass, timeframe, state.session) ?? bucket?.endMs ?? state.session.closeMs
  const remainingMs = endMs - moment.nowMs
  const text = countdownText(timeframe, remainingMs)
  // A candle with a single auction print would look frozen; a longer one moved before.
  const isAuctionOnly = state.segment.kind === 'closing-auction' && bucket?.startMs === state.segment.startMs
  return { kind: 'running', remainingMs, text: isAuctionOnly ? marketText.closingAuction(text) : text }
}

/** Like `candleCountdown`; where the hours of a chart are unknown, its candles close by the clock of the zone. */
export function shownCountdown(sessionClass: SessionClass | undefined, timeframe: Timeframe, moment: Moment): CandleCountdown {
  if (sessionClass !== undefined) return candleCountdown(sessionClass, timeframe, moment)
  return { kind: 'running', ...countdown(timeframe, moment.nowMs, moment.zone) }
}

function nextPeriodMs(sessionClass: SessionClass, timeframe: Timeframe, session: Session): number | undefined {
  if (timeframe !== '1W' && timeframe !== '1M') return undefined
  return periodOf(calendarOf(sessionClass), timeframe, session).next?.openMs
}

function openingText(opensAtMs: number | null, { nowMs, zone }: Moment): string {
  if (opensAtMs === null) return marketText.marketClosed
  const remainingMs = opensAtMs - nowMs
  // Rounded up to seconds, a full hour would read 00:00.
  if (remainingMs <= hourMs - 1000) return marketText.opensIn(countdownText('30', remainingMs))
  return marketText.opensAt(openingTime(opensAtMs, zone))
}

/**
 * `MM:SS` below an hour's timeframe, `HH:MM:SS` up to a day's, `Nd HH:MM:SS` above; milliseconds are rounded
 * up to seconds. Below an hour's timeframe the time must be shorter than an hour.
 */
function countdownText(timeframe: Timeframe, remainingMs: number): string {
  const seconds = Math.ceil(remainingMs / 1000)
  const clock = [Math.floor(seconds / 60) % 60, seconds % 60].map(twoDigits).join(':')
  const hours = Math.floor(seconds / 3600)
  const step = stepMinutesOf(timeframe)
  if (step !== undefined && step < 60) return clock
  if (step !== undefined || timeframe === '1D') return `${twoDigits(hours)}:${clock}`
  return `${Math.floor(hours / 24)}d ${twoDigits(hours % 24)}:${clock}`
}

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
