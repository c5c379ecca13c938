// Fake Yahoo Finance server: columns with gaps, a row of the current price, days stamped at the exchange's opening.
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { calendarOf } from '#shared/trading-hours/calendar.ts'
import { isTradingMinute } from '#shared/candles/bucketer.ts'
import type { Dialect, DialectAnswer, DialectRequest, Truth } from './dialect.ts'
import { nseShares } from './nse-shares.ts'

const steps = { '1m': '1m', '60m': '1h', '1d': '1D' } as const

type Row = readonly [timeMs: number, candle: Candle | null]

const json = (body: object, status = 200): DialectAnswer => ({ status, body: JSON.stringify(body) })
const error = (status: number, code: string) => json({ chart: { result: null, error: { code, description: 'No data found' } } }, status)

/** Minutes without a trade are gaps between the others, and the last row is the price of the current second. */
function minuteRows(candles: readonly Candle[], truth: Truth): Row[] {
  const rows: Row[] = []
  for (const candle of candles) {
    for (let ms = (rows.at(-1)?.[0] ?? candle.timeMs) + minuteMs; ms < candle.timeMs; ms += minuteMs) {
      if (isTradingMinute('nse-equity', ms)) rows.push([ms, null])
    }
    rows.push([candle.timeMs, candle])
  }
  const last = candles.at(-1)
  const nowMs = Math.floor(truth.nowMs() / 1000) * 1000
  if (last !== undefined && nowMs % minuteMs !== 0) {
    const { close } = last
    rows.push([nowMs, { ...last, open: close, high: close, low: close, volume: 0 }])
  }
  return rows
}

/** A day is stamped with the opening of its session. */
function dayRow(candle: Candle): Row {
  return [calendarOf('nse-equity').sessionOn(new Date(candle.timeMs).toISOString().slice(0, 10))?.openMs ?? candle.timeMs, candle]
}

function resultOf(symbol: string, rows: readonly Row[], truth: Truth): object {
  const column = (value: (candle: Candle) => number | null) => rows.map(([, candle]) => (candle === null ? null : value(candle)))
  const quote = {
    open: column(({ open }) => open),
    high: column(({ high }) => high),
    low: column(({ low }) => low),
    close: column(({ close }) => Math.fround(close)),
    volume: column(({ volume }) => volume),
  }
  return {
    meta: { symbol, instrumentType: 'EQUITY', exchangeTimezoneName: 'Asia/Kolkata', regularMarketTime: Math.floor(truth.nowMs() / 1000) },
    ...(rows.length > 0 && { timestamp: rows.map(([ms]) => ms / 1000) }),
    indicators: { quote: [rows.length > 0 ? quote : {}] },
  }
}

function answer({ path, query, headers }: DialectRequest, truth: Truth): DialectAnswer | null {
  const symbol = decodeURIComponent(path.replace('/v8/finance/chart/', ''))
  if (path === symbol) return null
  // The real service uses only this to distinguish programs from browsers.
  if (!String(headers['user-agent']).startsWith('Mozilla/')) return { status: 429, body: 'Too Many Requests' }
  if (!truth.isOffered(symbol)) return error(404, 'Not Found')
  if (query.get('includePrePost') !== 'false') return error(400, 'Bad Request')
  const interval = query.get('interval')
  if (interval === '1mo') return json({ chart: { result: [resultOf(symbol, [], truth)], error: null } })
  const step = steps[interval as keyof typeof steps]
  const fromMs = Number(query.get('period1')) * 1000
  const toMs = Number(query.get('period2')) * 1000
  if (step === '1m' && (toMs - fromMs > 8 * dayMs || fromMs < truth.nowMs() - 30 * dayMs)) return error(422, 'Unprocessable Entity')
  const candles = truth.candles(symbol, step)
  const rows: Row[] =
    step === '1m' ? minuteRows(candles, truth) : candles.map((candle) => (step === '1D' ? dayRow(candle) : [candle.timeMs, candle]))
  const wanted = rows.filter(([ms]) => ms >= fromMs && ms <= toMs)
  return json({ chart: { result: [resultOf(symbol, wanted, truth)], error: null } })
}

export const yahooDialect: Dialect = {
  source: 'yahoo',
  symbols: ['RELIANCE.NS', 'HAVELLS.NS'],
  ...nseShares,
  answer,
}
