// Where our own chart gets its candles from: the live line, and older pages.
import type { CandleRow } from '#shared/market/live.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import type { LiveListener, LiveWish } from '../live/live-socket.ts'

export interface OlderCandles {
  /** Ascending. */
  readonly candles: readonly CandleRow[]
  readonly hasOlder: boolean
}

export interface OlderWish {
  readonly slug: string
  readonly timeframe: Timeframe
  /** Candles with stamps before this moment, epoch milliseconds. */
  readonly toMs: number
  readonly limit: number
}

export interface CandleSource {
  open(wish: LiveWish, listener: LiveListener): () => void
  /** Rejects where they cannot be had now. */
  older(wish: OlderWish): Promise<OlderCandles>
  /** Server's clock minus ours, in milliseconds. */
  clockOffsetMs(): number
}
