// UDF requests, served from the same candles and under the same rules as the product's own charts.
import { workTurns } from '#server/http/work-turns.ts'
import { dayMs } from '#shared/base/durations.ts'
import { AppError } from '#shared/http/app-error.ts'
import { effectiveAdjustment } from '#shared/candles/price-adjuster.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { candlesMax } from '#shared/market-data/candles-max.ts'
import type { Adjustment } from '#shared/candles/corporate-actions.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { stepMinutesOf } from '#shared/candles/step-minutes.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { UdfQuote, UdfSymbol } from '#shared/udf/contract.ts'
import type { User } from '#shared/users/user.ts'
import type { ShownMarket } from '#server/features/market-data/history/candles-service.ts'
import { entitledInstrument } from '#server/features/market-data/history/require-instrument-access.ts'
import type { ShownSource } from '#server/features/market-data/history/market-sources.ts'
import { parseResolution } from './udf-resolution.ts'
import { symbolInfoOf } from './udf-symbol-info.ts'
import { exchangeOf, instrumentOf } from './udf-symbols.ts'

export interface BarsWanted {
  readonly symbol: string
  readonly resolution: string
  /** Epoch seconds; the first requested bar. */
  readonly from: number | undefined
  /** Epoch seconds; exclusive end. */
  readonly to: number
  readonly countback: number | undefined
}

export type Bars = { readonly candles: readonly Candle[] } | { readonly nextTime: number | undefined }

interface Prices {
  readonly shown: ShownSource
  readonly adjustment: Adjustment
  /** Reads the newest candles before an instant. */
  readonly read: (
    timeframe: Timeframe,
    toMs: number,
    limit: number,
  ) => Promise<{ readonly candles: readonly Candle[]; readonly hasOlder: boolean }>
}

/** Maximum bars of one response; clients page backwards for more. */
const barsMax = 4 * candlesMax
const quotesMax = 50
const aheadMs = 7 * dayMs

interface UdfOptions extends ShownMarket {
  /** The adjustment that the user has chosen: a chart library has no parameter for it. */
  readonly adjustmentOf: (viewer: User) => Promise<Adjustment>
}

export class UdfService {
  readonly #options: UdfOptions

  constructor(options: UdfOptions) {
    this.#options = options
  }

  /** The instrument of a symbol. Throws `not-found`, or `forbidden` if it needs premium. */
  instrument(viewer: User, symbol: string): Instrument {
    return entitledInstrument(viewer, instrumentOf(symbol).slug, this.#options.isHidden)
  }

  async symbol(viewer: User, symbol: string): Promise<UdfSymbol> {
    const found = this.instrument(viewer, symbol)
    const { shown, adjustment } = await this.#pricesOf(viewer, found)
    return symbolInfoOf(found, { ...shown, adjustment }, this.#options.now())
  }

  /** Corporate actions for which this user's prices are adjusted. */
  async adjustment(viewer: User, found: Instrument): Promise<Adjustment> {
    return (await this.#pricesOf(viewer, found)).adjustment
  }

  /** Bars in time order; if empty, when older ones end (epoch seconds). */
  async bars(viewer: User, wanted: BarsWanted): Promise<Bars & { readonly hasVolume: boolean }> {
    const found = this.instrument(viewer, wanted.symbol)
    const timeframe = parseResolution(wanted.resolution)
    const prices = await this.#pricesOf(viewer, found)
    return { ...(await readBars(prices, timeframe, wanted)), hasVolume: found.hasVolume }
  }

  /** Last prices of comma-separated symbols; an unknown symbol gets an error entry. */
  async quotes(viewer: User, symbols: string): Promise<UdfQuote[]> {
    const names = [
      ...new Set(
        symbols
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== ''),
      ),
    ]
    if (names.length > quotesMax) throw new AppError('invalid', 'udf.tooManySymbols')
    // Look up all names before reading prices, so that a rejection is cheap.
    for (const name of names) this.#findInstrument(viewer, name)
    return Promise.all(names.map((name) => this.#quoteOf(viewer, name)))
  }

  nowSeconds(): number {
    return Math.floor(this.#options.now() / 1_000)
  }

  /** Undefined for an unknown name; throws if it needs premium. */
  #findInstrument(viewer: User, name: string): Instrument | undefined {
    try {
      return this.instrument(viewer, name)
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not-found') return undefined
      throw error
    }
  }

  async #pricesOf(viewer: User, { series }: Instrument): Promise<Prices> {
    const shown = await this.#options.sources.sourceOf(series)
    const { source, sessionClass } = shown
    const canAdjust = source !== null && source !== 'demo' && effectiveAdjustment(series, 'all', this.#options.now()) !== 'none'
    const adjustment = canAdjust ? effectiveAdjustment(series, await this.#options.adjustmentOf(viewer), this.#options.now()) : 'none'
    return {
      shown,
      adjustment,
      read: (timeframe, toMs, limit) =>
        source === null
          ? Promise.resolve({ candles: [], hasOlder: false })
          : this.#options.history.candles({ series, source, sessionClass, timeframe, adjustment, toMs, limit }),
    }
  }

  async #quoteOf(viewer: User, name: string): Promise<UdfQuote> {
    const instrument = this.#findInstrument(viewer, name)
    if (instrument === undefined) return { s: 'error', n: name, v: {} }
    const { read, shown, adjustment } = await this.#pricesOf(viewer, instrument)
    const [before, day] = (await read('1D', this.#options.now() + aheadMs, 2)).candles.slice(-2)
    const today = day ?? before
    if (today === undefined || shown.source === null) return { s: 'error', n: name, v: {} }
    const previous = day === undefined ? undefined : before
    const change = previous === undefined ? undefined : round(today.close - previous.close, instrument)
    return {
      s: 'ok',
      n: name,
      v: {
        short_name: instrument.label,
        exchange: exchangeOf(instrument),
        description: symbolInfoOf(instrument, { ...shown, adjustment }, this.#options.now()).description,
        lp: today.close,
        open_price: today.open,
        high_price: today.high,
        low_price: today.low,
        ...(previous === undefined || change === undefined
          ? {}
          : { prev_close_price: previous.close, ch: change, chp: Math.round((change / previous.close) * 10_000) / 100 }),
        ...(today.volume === null ? {} : { volume: today.volume }),
      },
    }
  }
}

/** Minimum seconds between two bars; the shortest month has 28 days. */
const calendarSeconds: Readonly<Partial<Record<Timeframe, number>>> = { '1W': 7 * 86_400, '1M': 28 * 86_400 }

/** Maximum bars of a response. Throws `invalid` for an unsupported resolution. */
export function barsWantedAtMost({ resolution, from = 0, to, countback }: BarsWanted): number {
  const timeframe = parseResolution(resolution)
  const minutes = stepMinutesOf(timeframe)
  const seconds = minutes === undefined ? (calendarSeconds[timeframe] ?? 86_400) : minutes * 60
  return Math.min(barsMax, countback ?? Math.max(1, Math.ceil((to - from) / seconds)))
}

const turn = workTurns()

/** `countback` takes precedence over `from`: that number of bars is returned, however far back. */
async function readBars({ read }: Prices, timeframe: Timeframe, wanted: BarsWanted): Promise<Bars> {
  const { from = 0, to, countback } = wanted
  const fromMs = countback === undefined ? from * 1_000 : 0
  // Reads no more than is charged, plus one: a first week or month may be stamped after its holidays.
  const most = Math.min(barsMax, barsWantedAtMost(wanted) + (countback === undefined ? 1 : 0))
  let candles: readonly Candle[] = []
  let toMs = to * 1_000
  for (let hasOlder = true; hasOlder && candles.length < most && toMs > fromMs;) {
    // Other requests run between pages.
    if (candles.length > 0) await turn()
    const page = await read(timeframe, toMs, Math.min(candlesMax, most - candles.length))
    candles = [...page.candles, ...candles]
    hasOlder = page.hasOlder && page.candles.length > 0
    toMs = candles[0]?.timeMs ?? fromMs
  }
  const within = candles.filter(({ timeMs }) => timeMs >= fromMs)
  if (within.length > 0) return { candles: within }
  const older = candles.at(-1) ?? (await read(timeframe, fromMs, 1)).candles.at(-1)
  return { nextTime: older === undefined ? undefined : older.timeMs / 1_000 }
}

function round(value: number, { priceDecimals }: Instrument): number {
  return Number(value.toFixed(priceDecimals))
}
