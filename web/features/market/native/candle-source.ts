// Where our own chart gets its candles from: the live line, and older pages.
import type { Adjustment } from '#shared/market/corporate-actions.ts'
import type { CandleRow } from '#shared/market/live.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import type { LiveListener, LiveWish } from '../live/live-socket.ts'

export interface OlderCandles {
  /** Ascending. */
  readonly candles: readonly CandleRow[]
  readonly hasOlder: boolean
  /** Undefined where the source is not known, else null or the stamp of its very first candle. */
  readonly startsAtMs?: number | null | undefined
}

export interface OlderWish {
  readonly slug: string
  readonly timeframe: Timeframe
  /** Candles with stamps before this moment, epoch milliseconds. */
  readonly toMs: number
  readonly limit: number
  /** For splits and bonuses where it is left out. */
  readonly adjustment?: Adjustment
}

export interface CandleSource {
  open(wish: LiveWish, listener: LiveListener): () => void
  /** Rejects where they cannot be had now. */
  older(wish: OlderWish): Promise<OlderCandles>
  /** Server's clock minus ours, in milliseconds. */
  clockOffsetMs(): number
}

/** The same candles adjusted by a choice, live and older ones alike. */
export function adjustedSource(source: CandleSource, adjustment: Adjustment): CandleSource {
  return {
    ...source,
    open: (wish, listener) => source.open({ ...wish, adjustment }, listener),
    older: (wish) => source.older({ ...wish, adjustment }),
  }
}
