// Yahoo Finance: an unofficial source without redistribution rights, so it only runs if the operator enables it.
import { z } from 'zod'
import { backOffDelayMs } from '#shared/base/back-off-delay.ts'
import { dayMs, hourMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import { findCandleIssue } from '#shared/candles/candle-issue.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import {
  commonStepOf,
  commonSteps,
  stepMs,
  type CommonStep,
  type Feed,
  type HistoryRequest,
  type HistoryStep,
  FeedError,
  type FeedClock,
  type FeedSink,
  type FeedState,
} from '../feed.ts'
import { MinuteBuffer } from '../minute-buffer.ts'
import { abortable } from './abortable.ts'
import type { FeedOptions } from './feed-options.ts'
import { JsonHttpClient } from './json-http-client.ts'
import { loadWholeSpan } from './load-history.ts'
import { orderlyCandles } from './orderly-candles.ts'
import { ProviderClock } from './provider-clock.ts'
import { numberSchema, optionalNumberSchema, rowsOf } from './provider-number.ts'

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

const pollMs = 15_000
/** Minutes before the newest one that are read again, because Yahoo corrects them. */
const rereadMinutes = 5
const firstReadMs = 10 * stepMs['1m']
const firstRetryMs = 30_000
const lastRetryMs = 15 * 60_000

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

interface YahooCandles {
  readonly candles: readonly Candle[]
  readonly completeUntilMs: number
}

class YahooRest {
  readonly #http: JsonHttpClient
  readonly #restUrl: string
  readonly #clock: FeedClock
  readonly #time: ProviderClock
  readonly #splits = new Map<string, { readonly splits: Promise<YahooSplit[]>; readonly day: number; readonly sinceMs: number }>()

  constructor({ restUrl = yahooUrl, clock, log }: YahooOptions) {
    this.#restUrl = restUrl
    this.#clock = clock
    this.#time = new ProviderClock(clock)
    this.#http = new JsonHttpClient({
      name: 'Yahoo Finance',
      clock,
      log,
      // It returns 429 without a browser-like user agent.
      headers: { 'user-agent': 'Mozilla/5.0' },
      reasonOf: (body) => (yahooChartSchema.safeParse(body).data?.chart.error?.code === 'Not Found' ? 'it has no such symbol' : undefined),
      time: this.#time,
      limits,
    })
  }

  /** @throws FeedError */
  async history(request: HistoryRequest): Promise<Candle[]> {
    const { symbol, signal } = request
    const step = commonStepOf(request.step)
    const sessionClass = sessionClassOf(symbol)
    const startMs = await this.#time.nowMs()
    // A day is stamped in the exchange's zone, up to a day away from its UTC date.
    const marginMs = step === '1D' ? dayMs : 0
    const fromMs = Math.max(request.fromMs - marginMs, startMs - depthDays[step] * dayMs)
    const span = { fromMs, toMs: Math.min(request.toMs, startMs) + marginMs }
    let completeMs = -Infinity
    const rows = await loadWholeSpan(step, span, {
      sessionClass,
      spanMs: daysMax[step] * dayMs,
      load: async (part) => {
        const { candles, completeUntilMs } = await this.candles(symbol, step, part, signal)
        completeMs = Math.max(completeMs, completeUntilMs)
        return candles
      },
    })
    const splits = rows.length > 0 && canSplit(symbol) ? await abortable(this.#splitsOf(symbol), signal) : []
    return orderlyCandles(undoSplits(rows, splits), request, { nowMs: completeMs, sessionClass })
  }

  /** The candles of one response, and the source's time up to which they are complete. @throws FeedError */
  async candles(symbol: string, step: CommonStep, span: TimeSpan, signal?: AbortSignal): Promise<YahooCandles> {
    const response = await this.#chart(symbol, intervalOf[step], span, signal)
    return { candles: readYahooCandles(response, step), completeUntilMs: completeUntilMs(symbol, response, await this.#time.nowMs()) }
  }

  async #chart(symbol: string, interval: string, { fromMs, toMs }: TimeSpan, signal?: AbortSignal): Promise<YahooChart> {
    const url = new URL(`/v8/finance/chart/${encodeURIComponent(symbol)}`, this.#restUrl)
    const seconds = (ms: number): string => String(Math.max(0, Math.floor(ms / 1000)))
    const period = { period1: seconds(fromMs), period2: seconds(toMs) }
    url.search = new URLSearchParams({ interval, ...period, includePrePost: 'false', events: 'split' }).toString()
    return await this.#http.get({ url, schema: yahooChartSchema, signal })
  }

  /** All splits of a symbol: those after the requested range change its prices too. */
  #splitsOf(symbol: string): Promise<YahooSplit[]> {
    const known = this.#splits.get(symbol)
    // Yahoo rewrites history when the ex-date of a split begins.
    const day = Math.floor(this.#clock.now() / dayMs)
    if (known !== undefined && known.day === day && this.#clock.monotonic() - known.sinceMs < splitsMaxAgeMs) return known.splits
    const splits = this.#chart(symbol, '1mo', { fromMs: 0, toMs: this.#clock.now() }).then(readYahooSplits)
    this.#splits.set(symbol, { splits, day, sinceMs: this.#clock.monotonic() })
    splits.catch(() => this.#splits.delete(symbol))
    return splits
  }
}

interface Poll {
  readonly sinks: Set<FeedSink>
  readonly abort: AbortController
  /** Emitted minutes, to emit each state once. */
  readonly reported: MinuteBuffer<{ readonly candle: Candle; readonly isClosed: boolean }>
  state: FeedState
  failures: number
  stop: () => void
}

const isSame = (one: Candle, other: Candle): boolean =>
  one.open === other.open && one.high === other.high && one.low === other.low && one.close === other.close && one.volume === other.volume

/** Starts and stops the polls; a symbol is polled once for all its listeners. */
class YahooPolls {
  readonly #rest: YahooRest
  readonly #clock: FeedClock
  readonly #polls = new Map<string, Poll>()

  constructor(rest: YahooRest, clock: FeedClock) {
    this.#rest = rest
    this.#clock = clock
  }

  /** Subscribes until the returned function is called; the first poll is after this call. */
  watch(symbol: string, sink: FeedSink): () => void {
    const poll = this.#polls.get(symbol) ?? this.#begin(symbol)
    poll.sinks.add(sink)
    sink.state(poll.state)
    return () => {
      if (poll.sinks.delete(sink) && poll.sinks.size === 0) this.#end(symbol, poll)
    }
  }

  close(): void {
    for (const [symbol, poll] of this.#polls) this.#end(symbol, poll)
  }

  #notify(poll: Poll, state: FeedState): void {
    poll.state = state
    for (const sink of poll.sinks) sink.state(state)
  }

  #report(poll: Poll, { candles, completeUntilMs }: YahooCandles): void {
    for (const candle of candles) {
      const issue = findCandleIssue(candle, this.#clock.now())
      if (issue !== null) {
        for (const sink of poll.sinks) sink.suspect?.(candle.timeMs, issue)
        continue
      }
      const isClosed = candle.timeMs + stepMs['1m'] <= completeUntilMs
      const before = poll.reported.get(candle.timeMs)
      // A closed minute does not reopen if the source's time goes back.
      const isNew = before === undefined || !isSame(before.candle, candle) || (isClosed && !before.isClosed)
      if (!isNew) continue
      poll.reported.put(candle.timeMs, { candle, isClosed: isClosed || before?.isClosed === true })
      for (const sink of poll.sinks) sink.minute(candle, isClosed || before?.isClosed === true)
    }
    poll.reported.trim()
  }

  /** Delay after an error: the source's retry time, and exponential back-off. */
  #waitAfter(poll: Poll, error: FeedError): number {
    const waitMs = backOffDelayMs(poll.failures, { firstMs: firstRetryMs, maxMs: lastRetryMs }, this.#clock.random())
    poll.failures += 1
    return Math.max(error.retryAfterMs ?? 0, waitMs)
  }

  async #read(symbol: string, poll: Poll): Promise<void> {
    const { signal } = poll.abort
    const { newestMs } = poll.reported
    const fromMs = Number.isFinite(newestMs) ? newestMs - rereadMinutes * stepMs['1m'] : this.#clock.now() - firstReadMs
    let waitMs = pollMs
    try {
      const found = await this.#rest.candles(symbol, '1m', { fromMs, toMs: this.#clock.now() + stepMs['1m'] }, signal)
      if (signal.aborted) return
      poll.failures = 0
      if (poll.state.kind !== 'live') this.#notify(poll, { kind: 'live' })
      this.#report(poll, { ...found, candles: found.candles.filter(({ timeMs }) => !(timeMs < fromMs)) })
    } catch (error) {
      if (signal.aborted) return
      const failure =
        error instanceof FeedError ? error : new FeedError('malformed', 'Yahoo Finance answered something odd', { cause: error })
      waitMs = this.#waitAfter(poll, failure)
      const isFinal = failure.kind === 'refused' && failure.retryAfterMs === undefined
      this.#notify(
        poll,
        isFinal ? { kind: 'refused', reason: failure.message } : { kind: 'down', reason: failure.message, retryInMs: waitMs },
      )
      if (isFinal) waitMs = lastRetryMs
    }
    poll.stop = this.#clock.after(waitMs, () => this.#read(symbol, poll))
  }

  #begin(symbol: string): Poll {
    const poll: Poll = {
      sinks: new Set(),
      abort: new AbortController(),
      reported: new MinuteBuffer(2 * rereadMinutes),
      state: { kind: 'connecting' },
      failures: 0,
      stop: this.#clock.after(0, () => this.#read(symbol, poll)),
    }
    this.#polls.set(symbol, poll)
    return poll
  }

  #end(symbol: string, poll: Poll): void {
    this.#polls.delete(symbol)
    poll.stop()
    poll.abort.abort()
  }
}

/** The Yahoo feed. Symbols look like `^NSEI`, `RELIANCE.NS` and `EURUSD=X`. Prices are unadjusted for later splits. */
export function yahooFeed(options: YahooOptions): Feed {
  const rest = new YahooRest(options)
  const polls = new YahooPolls(rest, options.clock)
  return {
    source: 'yahoo',
    steps: commonSteps,
    live: 'poll',
    splitHistory: 'restored',
    reachMs: { '1m': depthDays['1m'] * dayMs, '1h': depthDays['1h'] * dayMs },
    settleMs: futureDelayMs,
    history: (request) => rest.history(request),
    watch: (symbol, sink) => polls.watch(symbol, sink),
    close: () => Promise.resolve(polls.close()),
  }
}
