// When to signal that a candle is about to close: so many seconds before the end that the header counts down to.
import { candleCountdown } from '#shared/market/sessions/candle-countdown.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'

export interface WatchedCandle {
  readonly sessionClass: SessionClass
  readonly timeframe: Timeframe
  /** IANA zone of the person's clock. */
  readonly zone: string
}

export interface NextAlarm {
  /** When to signal, epoch milliseconds by the server's clock; never before `nowMs`. */
  readonly atMs: number
  /** When the candle closes. One alarm a candle: tell it with the next question. */
  readonly closeMs: number
}

export interface AlarmMoment {
  /** Epoch milliseconds, by the server's clock. */
  readonly nowMs: number
  readonly secondsBefore: number
  /** Close of the candle that was signalled last, if any. */
  readonly doneCloseMs: number | undefined
}

/**
 * The next alarm; null while the market is closed, when to ask again is its opening (see `askAgainMs`). A candle that has less
 * left than the alarm's lead is not signalled late, but the next one: whoever switches the alarm on within the lead hears nothing.
 */
export function nextAlarm(candle: WatchedCandle, { nowMs, secondsBefore, doneCloseMs }: AlarmMoment): NextAlarm | null {
  const state = candleCountdown(candle.sessionClass, candle.timeframe, { nowMs, zone: candle.zone })
  if (state.kind === 'closed') return null
  const closeMs = nowMs + state.remainingMs
  const atMs = closeMs - secondsBefore * 1000
  if (atMs >= nowMs && closeMs !== doneCloseMs) return { atMs, closeMs }
  const next = candleCountdown(candle.sessionClass, candle.timeframe, { nowMs: closeMs, zone: candle.zone })
  if (next.kind === 'closed') return null
  const nextCloseMs = closeMs + next.remainingMs
  // A candle shorter than the lead is signalled as it begins.
  return { atMs: Math.max(nextCloseMs - secondsBefore * 1000, closeMs), closeMs: nextCloseMs }
}

/** When to ask again where there is no alarm now: at the opening; null where the calendar has run out. */
export function askAgainMs(candle: WatchedCandle, nowMs: number): number | null {
  const state = candleCountdown(candle.sessionClass, candle.timeframe, { nowMs, zone: candle.zone })
  return state.kind === 'closed' ? state.opensAtMs : nowMs + state.remainingMs
}
