// What subscribers of the live connection request and receive.
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import type { CandleRow, LiveCondition, QuoteRow } from '#shared/market-data/live/contract.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { AccountState } from '#shared/users/user.ts'

export interface LiveRequest {
  readonly slug: string
  readonly timeframe: Timeframe
  /** Default: adjusted for splits and bonuses. */
  readonly adjustment?: Adjustment
  /** Candles in the first snapshot. */
  readonly bars: number
}

export interface LiveSnapshot {
  readonly candles: readonly CandleRow[]
  readonly hasOlder: boolean
  /** Time of the source's very first candle, if the candles start there. */
  readonly startsAtMs?: number | null | undefined
  readonly condition: LiveCondition
}

export interface LiveListener {
  /** Replaces all candles. */
  snapshot(snapshot: LiveSnapshot): void
  /** New or changed candles, complete, ascending. */
  update(candles: readonly CandleRow[]): void
  condition(condition: LiveCondition): void
  /** The server ended or rejected the subscription, for example `premium-required`; no automatic retry. */
  ended(code: string, message: string): void
  /** False while disconnected or silent: displayed prices may be stale. */
  connected(isConnected: boolean): void
}

/** Follows the signed-in user's account. */
export interface AccountListener {
  /** The state after each connect, and each change. */
  account(account: AccountState): void
  /** No changes arrive until the next state. */
  lost(): void
  /** The session has ended. */
  ended(): void
}

/** Follows the quotes of a group. */
export interface QuoteListener {
  /** Those that have changed; all, if `isAll`. */
  quotes(quotes: readonly QuoteRow[], isAll: boolean): void
  connected(isConnected: boolean): void
}
