// Candle, and the data label that every displayed price needs.

export interface Candle {
  /** Epoch milliseconds; see bucketer.ts for its meaning in each timeframe. */
  readonly timeMs: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** In units of the instrument; null if the source has none (indices, currencies). */
  readonly volume: number | null
  /** Taker buy volume; null if unknown. */
  readonly takerBuyVolume: number | null
}

export const dataModes = ['live', 'delayed', 'end-of-day', 'education', 'demo'] as const

/** `education` is at least 30 days old, `demo` is generated and not market data. */
export type DataMode = (typeof dataModes)[number]

/** Data label; no price may be shown without it. */
export interface DataLabel {
  readonly mode: DataMode
  /** Display name, for example Binance. */
  readonly source: string
  /** Minimum age of a price in minutes; 0 unless delayed or education. */
  readonly delayMinutes: number
  /** Substitute that is shown instead of the instrument, for example PAX Gold; null otherwise. */
  readonly proxy: string | null
}
