// One candle, and what a price on a screen must say about itself.

export interface Candle {
  /** Stamp of the candle, epoch milliseconds; see sessions/bucket.ts for what it means in each timeframe. */
  readonly timeMs: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** In units of the instrument; null where the source has none (indices, currencies). */
  readonly volume: number | null
  /** The part of the volume that buyers took; null where the source does not say. */
  readonly takerBuyVolume: number | null
}

export const dataModes = ['live', 'delayed', 'end-of-day', 'education', 'demo'] as const

/** `education` is data that is at least 30 days old, `demo` is generated and no market data at all. */
export type DataMode = (typeof dataModes)[number]

/** The label without which no price is shown. */
export interface DataLabel {
  readonly mode: DataMode
  /** Such as Binance; for people. */
  readonly source: string
  /** How old a price is at least, in minutes; 0 unless delayed or education. */
  readonly delayMinutes: number
  /** What is really shown where it is not the instrument itself, such as PAX Gold; null otherwise. */
  readonly proxy: string | null
}
