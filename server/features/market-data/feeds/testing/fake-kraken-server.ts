// Fake Kraken server: OHLC and trades by REST, and WebSocket v2, as publicly documented.
import { z } from 'zod'
import type { Candle } from '#shared/candles/candle.ts'
import type { HistoryStep } from '../../feed.ts'
import type { Dialect, DialectAnswer, DialectRequest, Truth } from './dialect.ts'

const steps: Readonly<Record<string, readonly [HistoryStep, number]>> = {
  1: ['1m', 60],
  5: ['5m', 300],
  15: ['15m', 900],
  30: ['30m', 1800],
  60: ['1h', 3600],
  240: ['4h', 14_400],
  1440: ['1D', 86_400],
}
const symbolsOfPairs: Readonly<Record<string, string>> = { XBTUSD: 'BTC/USD', EURUSD: 'EUR/USD' }
const mostRows = 720
const command = z.object({
  method: z.enum(['subscribe', 'unsubscribe']),
  params: z.object({ channel: z.literal('ohlc'), symbol: z.array(z.string()), interval: z.literal(1) }),
})

const json = (body: unknown): DialectAnswer => ({ status: 200, body: JSON.stringify(body) })
const iso = (ms: number) => new Date(ms).toISOString().replace('Z', '000000Z')

const row = ({ timeMs, open, high, low, close, volume }: Candle): unknown[] => [
  timeMs / 1000,
  ...[open, high, low, close, close].map((price) => price.toFixed(5)),
  (volume ?? 0).toFixed(8),
  volume === 0 ? 0 : 3,
]

/** REST returns every quiet candle flat and without trades, up to the current one; the stream omits them. */
function withQuiet(candles: readonly Candle[], widthMs: number, nowMs: number): Candle[] {
  return candles.flatMap((candle, i) => {
    const untilMs = candles[i + 1]?.timeMs ?? nowMs
    const quiet = { ...candle, open: candle.close, high: candle.close, low: candle.close, volume: 0 }
    const count = Math.max(0, Math.ceil((untilMs - candle.timeMs) / widthMs) - 1)
    return [candle, ...Array.from({ length: count }, (_, k) => ({ ...quiet, timeMs: candle.timeMs + (k + 1) * widthMs }))]
  })
}

function ohlc({ query }: DialectRequest, truth: Truth): DialectAnswer {
  const symbol = symbolsOfPairs[query.get('pair') ?? ''] ?? ''
  const step = steps[query.get('interval') ?? '']
  if (step === undefined || !truth.isOffered(symbol)) return json({ error: ['EQuery:Unknown asset pair'] })
  const since = Number(query.get('since') ?? 0)
  const recent = withQuiet(truth.candles(symbol, step[0]), step[1] * 1000, truth.nowMs()).slice(-mostRows)
  const rows = recent.filter((candle) => candle.timeMs / 1000 > since).map(row)
  return json({ error: [], result: { [`X${symbol.replace('/', 'Z')}`]: rows, last: (recent.at(-2)?.timeMs ?? 0) / 1000 } })
}

const mostTrades = 1000

/** Since a time, exclusive, in nanoseconds; trades of the same millisecond differ only in their number. */
function trades({ query }: DialectRequest, truth: Truth): DialectAnswer {
  const symbol = symbolsOfPairs[query.get('pair') ?? ''] ?? ''
  if (!truth.isOffered(symbol)) return json({ error: ['EQuery:Unknown asset pair'] })
  const nanos = (timeMs: number): bigint => BigInt(timeMs) * 1_000_000n
  const since = BigInt(query.get('since') ?? 0)
  const found = truth
    .trades(symbol)
    .map((trade, number) => ({ ...trade, number }))
    .filter(({ timeMs }) => nanos(timeMs) > since)
    .slice(0, Math.min(mostTrades, Number(query.get('count') ?? mostTrades)))
  const rows = found.map(({ timeMs, price, size, isTakerBuy, number }) => [
    price.toFixed(5),
    (size ?? 0).toFixed(8),
    timeMs / 1000,
    isTakerBuy === true ? 'b' : 's',
    'm',
    '',
    number,
  ])
  const last = `${found.length === 0 ? since : nanos(found.at(-1)?.timeMs ?? 0)}`
  return json({ error: [], result: { [`X${symbol.replace('/', 'Z')}`]: rows, last } })
}

function stated(symbol: string, minutes: readonly Candle[], { type, timeMs }: { type: 'snapshot' | 'update'; timeMs: number }): string {
  const data = minutes.map(({ timeMs: begin, open, high, low, close, volume }) => ({
    symbol,
    open,
    high,
    low,
    close,
    trades: 3,
    volume,
    vwap: close,
    interval_begin: iso(begin),
    interval: 1,
    timestamp: iso(begin + 60_000),
  }))
  return JSON.stringify({ channel: 'ohlc', type, timestamp: iso(timeMs), data })
}

export const krakenDialect: Dialect = {
  source: 'kraken',
  symbols: ['BTC/USD', 'EUR/USD'],
  sessionClass: 'crypto',
  quietMinutes: 'absent',
  hasVolume: true,
  hasTakerBuyVolume: false,
  answer(request, truth) {
    if (request.path === '/0/public/Time') return json({ error: [], result: { unixtime: Math.floor(truth.nowMs() / 1000) } })
    if (request.path === '/0/public/Trades') return trades(request, truth)
    return request.path === '/0/public/OHLC' ? ohlc(request, truth) : null
  },
  connected: (peer) => peer.send(JSON.stringify({ channel: 'status', type: 'update', data: [{ api_version: 'v2', system: 'online' }] })),
  received(peer, frame, truth) {
    const { method, params } = command.parse(JSON.parse(frame.toString()))
    for (const symbol of params.symbol) {
      if (!truth.isOffered(symbol)) {
        peer.send(JSON.stringify({ error: `Currency pair not supported ${symbol}`, method, success: false, symbol }))
        continue
      }
      peer.send(JSON.stringify({ method, result: { channel: 'ohlc', interval: 1, snapshot: true, symbol }, success: true }))
      if (method === 'unsubscribe') peer.unsubscribe(symbol)
      else {
        peer.subscribe(symbol)
        peer.send(stated(symbol, truth.candles(symbol, '1m').slice(-10), { type: 'snapshot', timeMs: truth.nowMs() }))
      }
    }
  },
  frames: ({ symbol, minute, isClosed, timeMs }) => (isClosed ? [] : [stated(symbol, [minute], { type: 'update', timeMs })]),
  heartbeat: (peer) => (peer.subscribed.size > 0 ? [JSON.stringify({ channel: 'heartbeat' })] : []),
}
