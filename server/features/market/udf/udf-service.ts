// What the chart protocol asks, answered from the same candles and under the same rules as the product's own charts.
import { workTurns } from '#server/http/work-turns.ts'
import { dayMs } from '#shared/base/durations.ts'
import { AppError } from '#shared/http/errors.ts'
import { effectiveAdjustment } from '#shared/market/adjustment.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import { candlesMax } from '#shared/market/contract.ts'
import type { Adjustment } from '#shared/market/corporate-actions.ts'
import type { Instrument } from '#shared/market/instruments.ts'
import { stepMinutesOf } from '#shared/market/timeframe-step.ts'
import type { Timeframe } from '#shared/market/timeframe.ts'
import { udfText } from '#shared/text/en/udf.ts'
import type { UdfQuote, UdfSymbol } from '#shared/udf/contract.ts'
import type { User } from '#shared/users/user.ts'
import type { ShownMarket } from '../history/candles-service.ts'
import { entitledInstrument } from '../history/entitled-instrument.ts'
import type { ShownSource } from '../history/market-sources.ts'
import { parseResolution } from './udf-resolution.ts'
import { symbolInfoOf } from './udf-symbol-info.ts'
import { exchangeOf, instrumentOf } from './udf-symbols.ts'

export interface BarsWanted {
  readonly symbol: string
  readonly resolution: string
  /** Seconds; the first bar wanted. */
  readonly from: number | undefined
  /** Seconds; the first moment that is not wanted any more. */
  readonly to: number
  readonly countback: number | undefined
}

export type Bars = { readonly candles: readonly Candle[] } | { readonly nextTime: number | undefined }

export interface UdfService {
  /** The instrument behind a symbol. Throws `not-found`, or `forbidden` where it takes premium. */
  instrument(viewer: User, symbol: string): Instrument
  symbol(viewer: User, symbol: string): Promise<UdfSymbol>
  /** Corporate actions that this user's prices of an instrument are adjusted for. */
  adjustment(viewer: User, instrument: Instrument): Promise<Adjustment>
  /** Bars in order of time; where there are none, when older ones end (seconds). */
  bars(viewer: User, wanted: BarsWanted): Promise<Bars & { readonly hasVolume: boolean }>
  /** Last prices of symbols with commas between; one that is unknown gets an error in its place. */
  quotes(viewer: User, symbols: string): Promise<UdfQuote[]>
  nowSeconds(): number
}

interface Prices {
  readonly shown: ShownSource
  readonly adjustment: Adjustment
  /** The newest so many candles before a moment. */
  readonly read: (
    timeframe: Timeframe,
    toMs: number,
    limit: number,
  ) => Promise<{ readonly candles: readonly Candle[]; readonly hasOlder: boolean }>
}

/** Bars of one answer at most; whoever wants more asks again for what is before. */
const barsMax = 4 * candlesMax
const quotesMax = 50
const aheadMs = 7 * dayMs

interface UdfNeeds extends ShownMarket {
  /** What the user has chosen for their charts: a chart library has no way to ask for it. */
  readonly adjustmentOf: (viewer: User) => Promise<Adjustment>
}

export function udfService({ sources, history, isHidden, now, adjustmentOf }: UdfNeeds): UdfService {
  function instrument(viewer: User, symbol: string): Instrument {
    return entitledInstrument(viewer, instrumentOf(symbol).slug, isHidden)
  }

  /** Undefined for a name that is none; throws where it takes premium. */
  function findInstrument(viewer: User, name: string): Instrument | undefined {
    try {
      return instrument(viewer, name)
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not-found') return undefined
      throw error
    }
  }

  async function pricesOf(viewer: User, { series }: Instrument): Promise<Prices> {
    const shown = await sources.sourceOf(series)
    const { source, sessionClass } = shown
    const canAdjust = source !== null && source !== 'demo' && effectiveAdjustment(series, 'all', now()) !== 'none'
    const adjustment = canAdjust ? effectiveAdjustment(series, await adjustmentOf(viewer), now()) : 'none'
    return {
      shown,
      adjustment,
      read: (timeframe, toMs, limit) =>
        source === null
          ? Promise.resolve({ candles: [], hasOlder: false })
          : history.candles({ series, source, sessionClass, timeframe, adjustment, toMs, limit }),
    }
  }

  async function quoteOf(viewer: User, name: string): Promise<UdfQuote> {
    const instrument = findInstrument(viewer, name)
    if (instrument === undefined) return { s: 'error', n: name, v: {} }
    const { read, shown, adjustment } = await pricesOf(viewer, instrument)
    const [before, day] = (await read('1D', now() + aheadMs, 2)).candles.slice(-2)
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
        description: symbolInfoOf(instrument, { ...shown, adjustment }, now()).description,
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

  return {
    instrument,
    async symbol(viewer, symbol) {
      const found = instrument(viewer, symbol)
      const { shown, adjustment } = await pricesOf(viewer, found)
      return symbolInfoOf(found, { ...shown, adjustment }, now())
    },
    adjustment: async (viewer, found) => (await pricesOf(viewer, found)).adjustment,
    async bars(viewer, wanted) {
      const found = instrument(viewer, wanted.symbol)
      const timeframe = parseResolution(wanted.resolution)
      const prices = await pricesOf(viewer, found)
      return { ...(await readBars(prices, timeframe, wanted)), hasVolume: found.hasVolume }
    },
    async quotes(viewer, symbols) {
      const names = [
        ...new Set(
          symbols
            .split(',')
            .map((name) => name.trim())
            .filter((name) => name !== ''),
        ),
      ]
      if (names.length > quotesMax) throw new AppError('invalid', udfText.tooManySymbols)
      // All are looked up before the first price is read, so that a refusal comes without work.
      for (const name of names) findInstrument(viewer, name)
      return Promise.all(names.map((name) => quoteOf(viewer, name)))
    },
    nowSeconds: () => Math.floor(now() / 1_000),
  }
}

/** Seconds between two bars at least; the shortest month has 28 days. */
const calendarSeconds: Readonly<Partial<Record<Timeframe, number>>> = { '1W': 7 * 86_400, '1M': 28 * 86_400 }

/** Bars that an answer to it can have. Throws `invalid` for a resolution that we do not have. */
export function barsWantedAtMost({ resolution, from = 0, to, countback }: BarsWanted): number {
  const timeframe = parseResolution(resolution)
  const minutes = stepMinutesOf(timeframe)
  const seconds = minutes === undefined ? (calendarSeconds[timeframe] ?? 86_400) : minutes * 60
  return Math.min(barsMax, countback ?? Math.max(1, Math.ceil((to - from) / seconds)))
}

const turn = workTurns()

/** `countback` counts before `from`: so many bars are given, however far back they lie. */
async function readBars({ read }: Prices, timeframe: Timeframe, wanted: BarsWanted): Promise<Bars> {
  const { from = 0, to, countback } = wanted
  const fromMs = countback === undefined ? from * 1_000 : 0
  // No more is read than is charged, and one: a first week or month may be stamped after its holidays.
  const most = Math.min(barsMax, barsWantedAtMost(wanted) + (countback === undefined ? 1 : 0))
  let candles: readonly Candle[] = []
  let toMs = to * 1_000
  for (let hasOlder = true; hasOlder && candles.length < most && toMs > fromMs;) {
    // Between pages others are answered.
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
