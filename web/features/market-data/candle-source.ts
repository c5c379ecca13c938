// Candle source of the Tezi chart: live connection and older pages.
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import type { CandleRow } from '#shared/market-data/live/contract.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { LiveListener, LiveRequest } from './live-listener.ts'

export interface OlderCandles {
  /** Ascending. */
  readonly candles: readonly CandleRow[]
  readonly hasOlder: boolean
  /** Undefined for an unknown source, else null or the time of its very first candle. */
  readonly startsAtMs?: number | null | undefined
}

export interface BackfillRequest {
  readonly slug: string
  readonly timeframe: Timeframe
  /** Candles before this time, epoch milliseconds. */
  readonly toMs: number
  readonly limit: number
  /** Default: adjusted for splits and bonuses. */
  readonly adjustment?: Adjustment
  /** Whether there may be more candles than `limit`, so that pages start at fixed times and the browser keeps them. */
  readonly isFixed?: true
}

export interface CandleSource {
  open(request: LiveRequest, listener: LiveListener): () => void
  /** Rejects when the candles are not available now. */
  older(request: BackfillRequest): Promise<OlderCandles>
  /** Server clock minus browser clock, in milliseconds. */
  clockOffsetMs(): number
}

/** The same source with an adjustment, for live and older candles alike. */
export function adjustedSource(source: CandleSource, adjustment: Adjustment): CandleSource {
  return {
    ...source,
    open: (request, listener) => source.open({ ...request, adjustment }, listener),
    older: (request) => source.older({ ...request, adjustment }),
  }
}
