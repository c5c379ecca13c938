// Yahoo Finance: an unofficial source without redistribution rights, so it only runs if the operator enables it.
import { dayMs, hourMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { commonStepOf, type CommonStep, type Feed, type FeedClock, type FeedLog, type HistoryRequest } from '../feed.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import { historySpans } from './history-spans.ts'
import { loadWholeSpan } from './load-whole-span.ts'
import { orderlyCandles } from './orderly-candles.ts'
import { HttpJson } from './json-http-client.ts'
import { abortable } from './abortable.ts'
import { providerClock } from './provider-clock.ts'
import { requestBudget } from './rate-limiter.ts'
import {
  readYahooCandles,
  readYahooSplits,
  undoSplits,
  yahooChartSchema,
  yahooQuoteMs,
  type YahooChart,
  type YahooSplit,
} from './yahoo-chart.ts'
import { YahooPolls } from './yahoo-polls.ts'

export const yahooUrl = 'https://query1.finance.yahoo.com'

export interface YahooOptions {
  readonly restUrl?: string
  readonly clock: FeedClock
  readonly log: FeedLog
}

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

/** Up to when candles are complete: now, or the time of the last quote if prices are delayed. */
function completeUntilMs(symbol: string, answer: YahooChart, nowMs: number): number {
  if (!symbol.endsWith('=F')) return nowMs
  return Math.max(yahooQuoteMs(answer) ?? -Infinity, nowMs - futureDelayMs)
}

function yahooCalls({ restUrl, clock, log }: Required<YahooOptions>) {
  const time = providerClock(clock)
  const http = new HttpJson({
    name: 'Yahoo Finance',
    clock,
    log,
    // It returns 429 without a browser-like user agent.
    headers: { 'user-agent': 'Mozilla/5.0' },
    reasonOf: (body) => (yahooChartSchema.safeParse(body).data?.chart.error?.code === 'Not Found' ? 'it has no such symbol' : undefined),
    timeReceived: (providerMs) => time.sample(providerMs),
  })
  const budget = requestBudget({ limits, waitMaxMs: 60_000, clock })
  const splitsBySymbol = new Map<string, { readonly splits: Promise<YahooSplit[]>; readonly day: number; readonly sinceMs: number }>()

  async function chart(symbol: string, interval: string, ask: TimeSpan & { signal: AbortSignal | undefined }): Promise<YahooChart> {
    await budget(ask.signal)
    const url = new URL(`/v8/finance/chart/${encodeURIComponent(symbol)}`, restUrl)
    const seconds = (ms: number): string => String(Math.max(0, Math.floor(ms / 1000)))
    url.search = new URLSearchParams({
      interval,
      period1: seconds(ask.fromMs),
      period2: seconds(ask.toMs),
      includePrePost: 'false',
      events: 'split',
    }).toString()
    return await http.get({ url, schema: yahooChartSchema, ...(ask.signal && { signal: ask.signal }) })
  }

  /** All splits of a symbol: those after the requested range change its prices too. */
  function splitsOf(symbol: string): Promise<YahooSplit[]> {
    const known = splitsBySymbol.get(symbol)
    // Yahoo rewrites history when the ex-date of a split begins.
    const day = Math.floor(clock.now() / dayMs)
    if (known !== undefined && known.day === day && clock.monotonic() - known.sinceMs < splitsMaxAgeMs) return known.splits
    const splits = chart(symbol, '1mo', { fromMs: 0, toMs: clock.now(), signal: undefined }).then(readYahooSplits)
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
      const rows: Candle[] = []
      let completeMs = -Infinity
      for (const span of historySpans({ fromMs, toMs: Math.min(request.toMs, startMs) + marginMs }, daysMax[step] * dayMs)) {
        const load = async (part: TimeSpan): Promise<Candle[]> => {
          const answer = await chart(symbol, intervalOf[step], { ...part, signal })
          completeMs = Math.max(completeMs, completeUntilMs(symbol, answer, await time.nowMs()))
          return readYahooCandles(answer, step)
        }
        for (const row of await loadWholeSpan(span, { step, sessionClass, load })) rows.push(row)
      }
      const splits = rows.length > 0 && canSplit(symbol) ? await abortable(splitsOf(symbol), signal) : []
      return orderlyCandles(undoSplits(rows, splits), request, { nowMs: completeMs, sessionClass })
    },
  }
}

/** The Yahoo feed. Symbols look like `^NSEI`, `RELIANCE.NS` and `EURUSD=X`. Prices are unadjusted for later splits. */
export function yahooFeed({ restUrl = yahooUrl, clock, log }: YahooOptions): Feed {
  const calls = yahooCalls({ restUrl, clock, log })
  const polls = new YahooPolls({
    clock,
    async load(symbol, span, signal) {
      const answer = await calls.chart(symbol, intervalOf['1m'], { ...span, signal })
      const candles = readYahooCandles(answer, '1m').filter((candle) => !(candle.timeMs < span.fromMs))
      return { candles, completeUntilMs: completeUntilMs(symbol, answer, await calls.time.nowMs()) }
    },
  })
  return {
    source: 'yahoo',
    steps: ['1m', '1h', '1D'],
    live: 'poll',
    splitHistory: 'restored',
    reachMs: { '1m': depthDays['1m'] * dayMs, '1h': depthDays['1h'] * dayMs },
    settleMs: futureDelayMs,
    history: (request) => calls.history(request),
    watch: (symbol, sink) => polls.watch(symbol, sink),
    async close() {
      polls.close()
    },
  }
}
