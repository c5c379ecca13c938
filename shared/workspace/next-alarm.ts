// When to play the candle alarm: a number of seconds before the end shown in the header's countdown.
import { shownCountdown } from '#shared/candles/candle-countdown.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'

export interface WatchedCandle {
  /** Undefined if unknown: then its candles close by the clock. */
  readonly sessionClass: SessionClass | undefined
  readonly timeframe: Timeframe
  /** IANA zone of the user's clock. */
  readonly zone: string
}

export interface NextAlarm {
  /** When to play the alarm, epoch milliseconds by the server's clock; never before `nowMs`. */
  readonly atMs: number
  /** When the candle closes. One alarm per candle: pass it to the next call. */
  readonly closeMs: number
}

export interface AlarmMoment {
  /** Epoch milliseconds, by the server's clock. */
  readonly nowMs: number
  readonly secondsBefore: number
  /** Close of the last candle with an alarm, if any. */
  readonly doneCloseMs: number | undefined
}

/**
 * The next alarm; null while the market is closed (then call again at `nextCheckMs`). A candle with less time
 * left than the lead gets no late alarm, the next one does: an alarm enabled within the lead stays silent.
 */
export function nextAlarm(candle: WatchedCandle, { nowMs, secondsBefore, doneCloseMs }: AlarmMoment): NextAlarm | null {
  const state = shownCountdown(candle.sessionClass, candle.timeframe, { nowMs, zone: candle.zone })
  if (state.kind === 'closed') return null
  const closeMs = nowMs + state.remainingMs
  const atMs = closeMs - secondsBefore * 1000
  if (atMs >= nowMs && closeMs !== doneCloseMs) return { atMs, closeMs }
  const next = shownCountdown(candle.sessionClass, candle.timeframe, { nowMs: closeMs, zone: candle.zone })
  if (next.kind === 'closed') return null
  const nextCloseMs = closeMs + next.remainingMs
  // A candle shorter than the lead has its alarm at its start.
  return { atMs: Math.max(nextCloseMs - secondsBefore * 1000, closeMs), closeMs: nextCloseMs }
}

/** When to call again without an alarm: at the opening; null if the calendar has run out. */
export function nextCheckMs(candle: WatchedCandle, nowMs: number): number | null {
  const state = shownCountdown(candle.sessionClass, candle.timeframe, { nowMs, zone: candle.zone })
  return state.kind === 'closed' ? state.opensAtMs : nowMs + state.remainingMs
}
