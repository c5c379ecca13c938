// Keeps nonsense out of the candles: what a statement must fulfil, and a second look at prices that jump.
import { minuteMs } from '../../base/durations.ts'
import type { Candle } from './candle.ts'

/** So far may the clock of a source, or ours, be wrong. */
const skewMs = 90_000
/** From the last price on; more than this is a mistake of the source more often than a market. */
const jumpShare = 0.2
/** Decimal sizes that are added up in another order differ in the last digits of their sum, by far less than this part of it. */
const roundingShare = 1e-9

export type CandleFault = 'not-a-number' | 'not-positive' | 'out-of-order' | 'negative-volume' | 'odd-stamp' | 'in-the-future'

/**
 * Why a one-minute candle can not be true at an instant (epoch milliseconds), or null: every number finite, prices above
 * zero, low <= open and close <= high, volume and the takers' part not below zero, the stamp a whole minute and
 * begun by now, give or take 90 seconds of wrong clocks.
 */
export function findCandleFault(candle: Candle, nowMs: number): CandleFault | null {
  const { timeMs, open, high, low, close, volume, takerBuyVolume } = candle
  if (![timeMs, open, high, low, close, volume ?? 0, takerBuyVolume ?? 0].every(Number.isFinite)) return 'not-a-number'
  if (low <= 0) return 'not-positive'
  if (low > Math.min(open, close) || high < Math.max(open, close)) return 'out-of-order'
  if ((volume ?? 0) < 0 || (takerBuyVolume ?? 0) < 0) return 'negative-volume'
  if (timeMs % minuteMs !== 0) return 'odd-stamp'
  return timeMs > nowMs + skewMs ? 'in-the-future' : null
}

export interface JumpGuard<Statement> {
  /** The statements that may be used now, in the order in which they came: none while this one waits, this one, or the waiting one and this one. */
  take(statement: Statement): Statement[]
}

export interface JumpGuardStart<Statement> {
  readonly candleOf: (statement: Statement) => Candle
  /** Whether the second is nothing but the first once more. */
  readonly isRepetition: (one: Statement, other: Statement) => boolean
  /** A price that is known to be right, where there is one; without it the first statement is believed. */
  readonly lastClose?: number | undefined
}

/**
 * Holds back a statement whose high or low is more than 20 % away from the last close that was used. If the next one is
 * within 20 % of the held one it confirms it, and both are used; one near the last close refutes it, and one that is near
 * neither takes its place. A mere repetition confirms nothing.
 */
export function jumpGuard<Statement>({ candleOf, isRepetition, lastClose }: JumpGuardStart<Statement>): JumpGuard<Statement> {
  let trusted = lastClose
  let held: Statement | undefined

  function trust(statements: Statement[], { close }: Candle): Statement[] {
    trusted = close
    held = undefined
    return statements
  }

  return {
    take(statement) {
      const candle = candleOf(statement)
      if (trusted === undefined || isWithin(candle, trusted, trusted)) return trust([statement], candle)
      if (held !== undefined && !isRepetition(held, statement) && doesConfirm(candle, candleOf(held)))
        return trust([held, statement], candle)
      held = statement
      return []
    },
  }
}

function isWithin({ high, low }: Candle, lowest: number, highest: number): boolean {
  return low >= lowest * (1 - jumpShare) && high <= highest * (1 + jumpShare)
}

function doesConfirm(candle: Candle, held: Candle): boolean {
  return isWithin(candle, held.low, held.high) && Math.abs(candle.close - held.close) <= held.close * jumpShare
}

/** Whether two candles say the same. */
export function areSameCandles(one: Candle, other: Candle): boolean {
  return haveSamePrices(one, other) && one.volume === other.volume && one.takerBuyVolume === other.takerBuyVolume
}

/**
 * Whether a later statement of a finished candle corrects nothing in an earlier one: the same stamp and prices, the same volumes but
 * for rounding (a billionth), and of the takers' part the same, or not a word.
 */
export function correctsNothing(later: Candle, earlier: Candle): boolean {
  return (
    haveSamePrices(later, earlier) &&
    areNearlyEqual(later.volume, earlier.volume) &&
    (later.takerBuyVolume === null || areNearlyEqual(later.takerBuyVolume, earlier.takerBuyVolume))
  )
}

/** A later statement of a candle with the takers' part of an earlier one, where it does not know it and says nothing else that is new. */
export function withKnownTakers(later: Candle, earlier: Candle | undefined): Candle {
  if (later.takerBuyVolume !== null || earlier === undefined || !correctsNothing(later, earlier)) return later
  return { ...later, takerBuyVolume: earlier.takerBuyVolume }
}

function haveSamePrices(one: Candle, other: Candle): boolean {
  return (
    one.timeMs === other.timeMs && one.open === other.open && one.high === other.high && one.low === other.low && one.close === other.close
  )
}

function areNearlyEqual(one: number | null, other: number | null): boolean {
  if (one === null || other === null) return one === other
  return Math.abs(one - other) <= roundingShare * Math.max(one, other)
}
