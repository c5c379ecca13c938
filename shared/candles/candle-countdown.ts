// Countdown of the header: time left in the current candle, or when the market opens.
import { marketText } from '#shared/chart/text/en-shell.ts'
import { hourMs } from '#shared/base/durations.ts'
import { countdown } from './countdown.ts'
import { countdownText } from './countdown-text.ts'
import type { Timeframe } from './timeframe.ts'
import { bucketOf } from './bucketer.ts'
import { calendarOf } from '#shared/trading-hours/calendar.ts'
import { marketStateAt } from '#shared/trading-hours/market-state.ts'
import { openingTime } from '#shared/trading-hours/opening-time.ts'
import { periodOf } from './period.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { Session } from '#shared/trading-hours/session.ts'

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
