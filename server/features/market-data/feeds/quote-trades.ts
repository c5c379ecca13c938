// Derives trades from quotes that contain the last price and the day's cumulative volume, as Indian brokers send them.
import type { SocketLink } from './websocket/subscription-session.ts'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Trade } from '../feed.ts'
import { indiaIsoDate } from '#shared/base/india-time.ts'

export interface CumulativeQuote {
  readonly price: number
  /** Volume since the start of the day; null if there is none, as for an index. */
  readonly dayVolume: number | null
  /** Time of the last trade; null if the quote has none, which means now. */
  readonly timeMs: number | null
}

export interface QuoteReading {
  /** Null if the quote has nothing new. */
  readonly trade: Trade | null
  /** Volume of this or the previous minute may be missing or misplaced; only history can resolve it. */
  readonly isSuspect: boolean
}

interface Known {
  readonly price: number
  readonly dayVolume: number | null
  readonly timeMs: number
  readonly isCut: boolean
}

/** Difference to the previous quote: a size, unknown, or quotes out of order. */
type Difference = number | 'unknown' | 'disorder'

/** A lower count after this gap means that it was reset. */
const sessionGapMs = 30 * minuteMs
/** A time this far ahead is a provider bug, such as Indian time sent as UTC. */
const aheadMaxMs = hourMs

const nothing: QuoteReading = { trade: null, isSuspect: false }
const minuteOf = (ms: number): number => Math.floor(ms / minuteMs)

function differenceOf(known: Known | undefined, dayVolume: number, timeMs: number): Difference {
  if (known === undefined || known.dayVolume === null) return 'unknown'
  if (timeMs < known.timeMs) return minuteOf(timeMs) === minuteOf(known.timeMs) ? 0 : 'disorder'
  // The difference may include missed minutes.
  if (known.isCut && minuteOf(known.timeMs) !== minuteOf(timeMs)) return 'unknown'
  if (indiaIsoDate(known.timeMs) !== indiaIsoDate(timeMs)) return dayVolume
  if (dayVolume >= known.dayVolume) return dayVolume - known.dayVolume
  if (timeMs - known.timeMs >= sessionGapMs) return dayVolume
  // Later and lower is a correction by the exchange, and the new base of the count.
  return timeMs > known.timeMs ? 0 : 'disorder'
}

/**
 * Reads the quotes of many symbols. The first quote of a symbol is a snapshot: it counts as a price only if its time
 * is in the current minute, and never as volume. Sizes are in units of the instrument, null without volume.
 */
export class QuoteTrades {
  readonly #now: () => number
  readonly #knownBySymbol = new Map<string, Known>()
  readonly #liveBySymbol = new Map<string, number>()

  /** `now` is the provider's time, epoch milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  read(symbol: string, { price, dayVolume, timeMs: quoteMs }: CumulativeQuote): QuoteReading {
    const nowMs = this.#now()
    const timeMs = quoteMs === null || quoteMs > nowMs + aheadMaxMs ? nowMs : quoteMs
    const known = this.#knownBySymbol.get(symbol)
    const difference = dayVolume === null ? null : differenceOf(known, dayVolume, timeMs)
    const isLate = known !== undefined && (timeMs < known.timeMs || difference === 'disorder')
    if (!isLate) this.#knownBySymbol.set(symbol, { price, dayVolume, timeMs, isCut: false })
    const isSnapshot = known === undefined || known.isCut
    if (isSnapshot && (isLate || minuteOf(timeMs) !== minuteOf(nowMs))) return nothing
    // Two quotes of the same instant out of order: the last price is ambiguous.
    if (difference === 'disorder' && timeMs === known?.timeMs) return { trade: null, isSuspect: true }
    const size = typeof difference === 'number' || difference === null ? difference : 0
    const isSame = known !== undefined && price === known.price
    if (isSame && (size === 0 || (size === null && timeMs === known.timeMs)) && difference !== 'unknown') return nothing
    const isCovered = minuteOf(timeMs) <= minuteOf(this.#liveBySymbol.get(symbol) ?? -Infinity)
    return {
      trade: { timeMs, price, size, isTakerBuy: null },
      isSuspect: difference === 'disorder' || (difference === 'unknown' && !isCovered),
    }
  }

  /** Emits the trade of a quote to the listeners of its symbol; requests a resync if a volume may be wrong. */
  emit(link: SocketLink, symbol: string, quote: CumulativeQuote): void {
    const { trade, isSuspect } = this.read(symbol, quote)
    if (trade !== null) link.trade(symbol, trade)
    if (!isSuspect) return
    this.live(symbol)
    link.resync(symbol)
  }

  /** History is requested up to the end of the current minute, so earlier suspicion is cleared. */
  live(symbol: string): void {
    this.#liveBySymbol.set(symbol, this.#now())
  }

  /** Quotes of a symbol were missed; of all symbols if omitted. */
  cut(only?: string): void {
    for (const [symbol, known] of this.#knownBySymbol)
      if (only === undefined || only === symbol) this.#knownBySymbol.set(symbol, { ...known, isCut: true })
  }

  forget(symbol: string): void {
    this.#knownBySymbol.delete(symbol)
    this.#liveBySymbol.delete(symbol)
  }
}
