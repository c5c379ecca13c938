// Yahoo Finance: an unofficial source without redistribution rights, so it only runs if the operator enables it.
import { z } from 'zod'
import { dayMs, hourMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { commonStepOf, commonSteps, stepMs, type CommonStep, type Feed, type HistoryRequest, type HistoryStep } from '../feed.ts'
import { abortable } from './abortable.ts'
import type { FeedOptions } from './feed-options.ts'
import { JsonHttpClient } from './json-http-client.ts'
import { loadWholeSpan } from './load-history.ts'
import { orderlyCandles } from './orderly-candles.ts'
import { ProviderClock } from './provider-clock.ts'
import { numberSchema, optionalNumberSchema, rowsOf } from './provider-number.ts'
import { YahooPolls } from './yahoo-polls.ts'

type YahooOptions = Pick<FeedOptions, 'restUrl' | 'clock' | 'log'>

export const yahooUrl = 'https://query1.finance.yahoo.com'

const intervalOf: Readonly<Record<CommonStep, string>> = { '1m': '1m', '1h': '60m', '1D': '1d' }
/** Maximum days of one call, and history depth in days. */
const daysMax: Readonly<Record<CommonStep, number>> = { '1m': 7, '1h': 700, '1D': 20_000 }
const depthDays: Readonly<Record<CommonStep, number>> = { '1m': 29, '1h': 729, '1D': 40_000 }

/** The limit is undocumented; about 2,000 calls an hour have been accepted for years. */
const limits = [
  { count: 5, windowMs: 1000 },
  { count: 1800, windowMs: hourMs },
]
const splitsMaxAgeMs = 12 * hourMs
/** Futures are delayed by ten minutes; older minutes are always complete. */
const futureDelayMs = 15 * 60_000

/** Trading hours of symbols with their own closing time; null for the others. */
function sessionClassOf(symbol: string): SessionClass | null {
  if (symbol === '^BSESN') return 'bse-index'
  if (symbol === '^NSEI' || symbol === '^NSEBANK' || symbol === 'NIFTY_FIN_SERVICE.NS') return 'nse-index'
  return symbol.endsWith('.NS') ? 'nse-equity' : null
}

/** Currencies, futures and indices are not split. */
const canSplit = (symbol: string): boolean => !symbol.includes('=') && !symbol.startsWith('^')

const columnSchema = rowsOf(optionalNumberSchema).default([])

const resultSchema = z.object({
  meta: z.object({
    instrumentType: z.string().optional(),
    exchangeTimezoneName: z.string().default('UTC'),
    regularMarketTime: z.number().optional(),
  }),
  timestamp: rowsOf(numberSchema).default([]),
  events: z
    .object({ splits: z.record(z.string(), z.object({ date: z.number(), numerator: z.number(), denominator: z.number() })).default({}) })
    .default({ splits: {} }),
  indicators: z.object({
    quote: z.array(z.object({ open: columnSchema, high: columnSchema, low: columnSchema, close: columnSchema, volume: columnSchema })),
  }),
})

export const yahooChartSchema = z.object({
  chart: z.object({
    result: z.array(resultSchema).nullable(),
    error: z.object({ code: z.string() }).nullable(),
  }),
})

export type YahooChart = z.output<typeof yahooChartSchema>

/** One share became `ratio` shares at this instant. */
export interface YahooSplit {
  readonly timeMs: number
  readonly ratio: number
}

/** Kinds for which Yahoo sends a meaningless volume, mostly 0. */
const kindsWithoutVolume: ReadonlySet<string | undefined> = new Set(['INDEX', 'CURRENCY'])

/** Removes 32-bit float noise from a price: 2999.800048828125 was 2999.8. */
function withoutNoise(price: number): number {
  const decimals = price >= 1000 ? 2 : price >= 10 ? 4 : 6
  return Number(price.toFixed(decimals))
}

/** 00:00 UTC of an instant's date in a zone. */
function dayStampMs(ms: number, zone: string): number {
  const date = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate()
  return Date.parse(`${date.toString()}T00:00:00Z`)
}

/** The zone as Yahoo names it, or UTC if it is invalid. */
function zoneOf(name: string): string {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId
  } catch {
    return 'UTC'
  }
}

/**
 * Candles of a response with Yahoo's prices, that is, adjusted for later splits. Minutes and hours without any price had
 * no trades and are skipped, and so is the row of the current price, which is off the minute grid. A row
 * with some of its prices is returned with NaN. Empty if Yahoo has no data.
 */
export function readYahooCandles(response: YahooChart, step: HistoryStep): Candle[] {
  const result = response.chart.result?.[0]
  const columns = result?.indicators.quote[0]
  if (result === undefined || columns === undefined) return []
  const hasVolume = !kindsWithoutVolume.has(result.meta.instrumentType)
  const zone = step === '1D' ? zoneOf(result.meta.exchangeTimezoneName) : 'UTC'
  const currentFrom = (result.meta.regularMarketTime ?? result.timestamp.at(-1) ?? 0) - 60
  const candles: Candle[] = []
  for (const [row, seconds] of result.timestamp.entries()) {
    const prices = [columns.open[row], columns.high[row], columns.low[row], columns.close[row]]
    const [open = NaN, high = NaN, low = NaN, close = NaN] = prices.map((price) => price ?? NaN)
    const isQuiet = step !== '1D' && prices.every((price) => price === null || price === undefined)
    const isCurrentPrice = step !== '1D' && seconds >= currentFrom && (seconds * 1000) % stepMs['1m'] !== 0
    if (isQuiet || isCurrentPrice) continue
    candles.push({
      timeMs: step === '1D' && Number.isFinite(seconds) ? dayStampMs(seconds * 1000, zone) : seconds * 1000,
      open: withoutNoise(open),
      high: withoutNoise(high),
      low: withoutNoise(low),
      close: withoutNoise(close),
      volume: hasVolume ? (columns.volume[row] ?? 0) : null,
      takerBuyVolume: null,
    })
  }
  return candles
}

/** Splits in a response. */
export function readYahooSplits(response: YahooChart): YahooSplit[] {
  const splits = Object.values(response.chart.result?.[0]?.events.splits ?? {})
  return splits
    .map((split) => ({ timeMs: split.date * 1000, ratio: split.numerator / split.denominator }))
    .filter((split) => Number.isFinite(split.ratio) && split.ratio > 0)
}

/**
 * Unadjusts candles: prices before a split times its ratio, volumes divided by it. Yahoo rewrites history at every split,
 * so candles fetched on different days would not match otherwise.
 */
export function undoSplits(candles: readonly Candle[], splits: readonly YahooSplit[]): Candle[] {
  return candles.map((candle) => {
    const ratio = splits
      .filter((split) => Math.floor(split.timeMs / stepMs['1D']) * stepMs['1D'] > candle.timeMs)
      .reduce((all, split) => all * split.ratio, 1)
    if (ratio === 1) return candle
    return {
      ...candle,
      open: withoutNoise(candle.open * ratio),
      high: withoutNoise(candle.high * ratio),
      low: withoutNoise(candle.low * ratio),
      close: withoutNoise(candle.close * ratio),
      volume: candle.volume === null ? null : Math.round(candle.volume / ratio),
    }
  })
}

/** Up to when candles are complete: now, or the time of the last quote if prices are delayed. */
function completeUntilMs(symbol: string, response: YahooChart, nowMs: number): number {
  if (!symbol.endsWith('=F')) return nowMs
  const quoteSeconds = response.chart.result?.[0]?.meta.regularMarketTime ?? -Infinity
  return Math.max(quoteSeconds * 1000, nowMs - futureDelayMs)
}

function yahooRest({ restUrl = yahooUrl, clock, log }: YahooOptions) {
  const time = new ProviderClock(clock)
  const http = new JsonHttpClient({
    name: 'Yahoo Finance',
    clock,
    log,
    // It returns 429 without a browser-like user agent.
    headers: { 'user-agent': 'Mozilla/5.0' },
    reasonOf: (body) => (yahooChartSchema.safeParse(body).data?.chart.error?.code === 'Not Found' ? 'it has no such symbol' : undefined),
    time,
    limits,
  })
  const splitsBySymbol = new Map<string, { readonly splits: Promise<YahooSplit[]>; readonly day: number; readonly sinceMs: number }>()

  async function chart(symbol: string, interval: string, { fromMs, toMs }: TimeSpan, signal?: AbortSignal): Promise<YahooChart> {
    const url = new URL(`/v8/finance/chart/${encodeURIComponent(symbol)}`, restUrl)
    const seconds = (ms: number): string => String(Math.max(0, Math.floor(ms / 1000)))
    const period = { period1: seconds(fromMs), period2: seconds(toMs) }
    url.search = new URLSearchParams({ interval, ...period, includePrePost: 'false', events: 'split' }).toString()
    return await http.get({ url, schema: yahooChartSchema, signal })
  }

  /** All splits of a symbol: those after the requested range change its prices too. */
  function splitsOf(symbol: string): Promise<YahooSplit[]> {
    const known = splitsBySymbol.get(symbol)
    // Yahoo rewrites history when the ex-date of a split begins.
    const day = Math.floor(clock.now() / dayMs)
    if (known !== undefined && known.day === day && clock.monotonic() - known.sinceMs < splitsMaxAgeMs) return known.splits
    const splits = chart(symbol, '1mo', { fromMs: 0, toMs: clock.now() }).then(readYahooSplits)
    splitsBySymbol.set(symbol, { splits, day, sinceMs: clock.monotonic() })
    splits.catch(() => splitsBySymbol.delete(symbol))
    return splits
  }

  return {
    chart,
    time,
    async history(request: HistoryRequest): Promise<Candle[]> {
      const { symbol, signal } = request
      const step = commonStepOf(request.step)
      const sessionClass = sessionClassOf(symbol)
      const startMs = await time.nowMs()
      // A day is stamped in the exchange's zone, up to a day away from its UTC date.
      const marginMs = step === '1D' ? dayMs : 0
      const fromMs = Math.max(request.fromMs - marginMs, startMs - depthDays[step] * dayMs)
      const span = { fromMs, toMs: Math.min(request.toMs, startMs) + marginMs }
      let completeMs = -Infinity
      const rows = await loadWholeSpan(step, span, {
        sessionClass,
        spanMs: daysMax[step] * dayMs,
        async load(part) {
          const response = await chart(symbol, intervalOf[step], part, signal)
          completeMs = Math.max(completeMs, completeUntilMs(symbol, response, await time.nowMs()))
          return readYahooCandles(response, step)
        },
      })
      const splits = rows.length > 0 && canSplit(symbol) ? await abortable(splitsOf(symbol), signal) : []
      return orderlyCandles(undoSplits(rows, splits), request, { nowMs: completeMs, sessionClass })
    },
  }
}

/** The Yahoo feed. Symbols look like `^NSEI`, `RELIANCE.NS` and `EURUSD=X`. Prices are unadjusted for later splits. */
export function yahooFeed(options: YahooOptions): Feed {
  const rest = yahooRest(options)
  const polls = new YahooPolls({
    clock: options.clock,
    async load(symbol, span, signal) {
      const response = await rest.chart(symbol, intervalOf['1m'], span, signal)
      const candles = readYahooCandles(response, '1m').filter((candle) => !(candle.timeMs < span.fromMs))
      return { candles, completeUntilMs: completeUntilMs(symbol, response, await rest.time.nowMs()) }
    },
  })
  return {
    source: 'yahoo',
    steps: commonSteps,
    live: 'poll',
    splitHistory: 'restored',
    reachMs: { '1m': depthDays['1m'] * dayMs, '1h': depthDays['1h'] * dayMs },
    settleMs: futureDelayMs,
    history: (request) => rest.history(request),
    watch: (symbol, sink) => polls.watch(symbol, sink),
    async close() {
      polls.close()
    },
  }
}
