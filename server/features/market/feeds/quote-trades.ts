// Makes trades of quotes that state the last price and the volume of the day so far, as Indian brokers send them.
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Trade } from '../feed.ts'
import { indiaDate } from '#shared/base/india-time.ts'

export interface StatedQuote {
  readonly price: number
  /** Traded since the day began; null for what has no volume, such as an index. */
  readonly dayVolume: number | null
  /** When the last trade happened; null where the quote does not say, which means now. */
  readonly timeMs: number | null
}

export interface QuoteNews {
  /** Null where the quote says nothing new. */
  readonly trade: Trade | null
  /** Volume of this minute, or of the one before, may be missing or in the wrong one: only history knows. */
  readonly isDoubtful: boolean
}

export interface QuoteTrades {
  read(symbol: string, quote: StatedQuote): QuoteNews
  /** History is asked for everything up to the end of the present minute, so there is no doubt about it. */
  live(symbol: string): void
  /** Something was not heard of a symbol, or of any where none is named. */
  cut(symbol?: string): void
  forget(symbol: string): void
}

interface Known {
  readonly price: number
  readonly dayVolume: number | null
  readonly timeMs: number
  readonly isCut: boolean
}

/** What the difference to the quote before says: a size, nothing certain, or that the quotes came in the wrong order. */
type Difference = number | 'unknown' | 'disorder'

/** A count that falls after so long a silence has begun anew. */
const sessionGapMs = 30 * minuteMs
/** A time so far ahead is a provider's mistake, such as the time in India taken for UTC. */
const aheadMaxMs = hourMs

const nothing: QuoteNews = { trade: null, isDoubtful: false }
const minuteOf = (ms: number): number => Math.floor(ms / minuteMs)

function differenceOf(known: Known | undefined, dayVolume: number, timeMs: number): Difference {
  if (known === undefined || known.dayVolume === null) return 'unknown'
  if (timeMs < known.timeMs) return minuteOf(timeMs) === minuteOf(known.timeMs) ? 0 : 'disorder'
  // The difference may hold minutes that were missed.
  if (known.isCut && minuteOf(known.timeMs) !== minuteOf(timeMs)) return 'unknown'
  if (indiaDate(known.timeMs) !== indiaDate(timeMs)) return dayVolume
  if (dayVolume >= known.dayVolume) return dayVolume - known.dayVolume
  if (timeMs - known.timeMs >= sessionGapMs) return dayVolume
  // Later and lower is a correction by the exchange, from which the count goes on.
  return timeMs > known.timeMs ? 0 : 'disorder'
}

/**
 * Reads the quotes of many symbols. The first quote of a symbol is a snapshot: it counts as a price only where its time
 * is in the present minute, and never as volume. `now` is the provider's time, epoch milliseconds. Sizes are in units
 * of the instrument, null where there is no volume.
 */
export function quoteTrades(now: () => number): QuoteTrades {
  const knownBySymbol = new Map<string, Known>()
  const liveBySymbol = new Map<string, number>()

  return {
    read(symbol, { price, dayVolume, timeMs: statedMs }) {
      const nowMs = now()
      const timeMs = statedMs === null || statedMs > nowMs + aheadMaxMs ? nowMs : statedMs
      const known = knownBySymbol.get(symbol)
      const difference = dayVolume === null ? null : differenceOf(known, dayVolume, timeMs)
      const isLate = known !== undefined && (timeMs < known.timeMs || difference === 'disorder')
      if (!isLate) knownBySymbol.set(symbol, { price, dayVolume, timeMs, isCut: false })
      const isSnapshot = known === undefined || known.isCut
      if (isSnapshot && (isLate || minuteOf(timeMs) !== minuteOf(nowMs))) return nothing
      // Two of one instant in the wrong order: which price was the last one can not be told.
      if (difference === 'disorder' && timeMs === known?.timeMs) return { trade: null, isDoubtful: true }
      const size = typeof difference === 'number' || difference === null ? difference : 0
      const isSame = known !== undefined && price === known.price
      if (isSame && (size === 0 || (size === null && timeMs === known.timeMs)) && difference !== 'unknown') return nothing
      const isCovered = minuteOf(timeMs) <= minuteOf(liveBySymbol.get(symbol) ?? -Infinity)
      return {
        trade: { timeMs, price, size, isTakerBuy: null },
        isDoubtful: difference === 'disorder' || (difference === 'unknown' && !isCovered),
      }
    },
    live: (symbol) => void liveBySymbol.set(symbol, now()),
    cut(only) {
      for (const [symbol, known] of knownBySymbol)
        if (only === undefined || only === symbol) knownBySymbol.set(symbol, { ...known, isCut: true })
    },
    forget(symbol) {
      knownBySymbol.delete(symbol)
      liveBySymbol.delete(symbol)
    },
  }
}
