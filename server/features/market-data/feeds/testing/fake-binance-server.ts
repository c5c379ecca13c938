// Fake Binance server: klines by REST and combined streams, as publicly documented.
import { z } from 'zod'
import type { Candle } from '#shared/candles/candle.ts'
import type { Dialect, DialectAnswer, DialectRequest, MarketEvent, Truth } from './dialect.ts'

const steps = { '1m': ['1m', 60_000], '1h': ['1h', 3_600_000], '1d': ['1D', 86_400_000] } as const
const command = z.object({ method: z.enum(['SUBSCRIBE', 'UNSUBSCRIBE']), params: z.array(z.string()), id: z.int() })

const json = (body: unknown, status = 200): DialectAnswer => ({ status, body: JSON.stringify(body) })
const text = (value: number | null) => (value ?? 0).toFixed(8)

function row(candle: Candle, widthMs: number): unknown[] {
  const { timeMs, open, high, low, close, volume, takerBuyVolume } = candle
  const prices = [open, high, low, close].map(text)
  return [timeMs, ...prices, text(volume), timeMs + widthMs - 1, '0.0', 3, text(takerBuyVolume), '0.0', '0']
}

function klines({ query }: DialectRequest, truth: Truth): DialectAnswer {
  const symbol = query.get('symbol') ?? ''
  if (!truth.isOffered(symbol)) return json({ code: -1121, msg: 'Invalid symbol.' }, 400)
  const step = steps[query.get('interval') as keyof typeof steps]
  const limit = Math.min(1000, Number(query.get('limit') ?? 500))
  const from = Number(query.get('startTime'))
  const to = Number(query.get('endTime'))
  const wanted = truth.candles(symbol, step[0]).filter((candle) => candle.timeMs >= from && candle.timeMs <= to)
  return json(wanted.slice(0, limit).map((candle) => row(candle, step[1])))
}

function kline({ symbol, minute, isClosed, timeMs }: MarketEvent): string {
  const { open, high, low, close, volume, takerBuyVolume } = minute
  const k = {
    t: minute.timeMs,
    T: minute.timeMs + 59_999,
    s: symbol,
    i: '1m',
    f: 100,
    L: 200,
    o: text(open),
    c: text(close),
    h: text(high),
    l: text(low),
    v: text(volume),
    n: 3,
    x: isClosed,
    q: '0.0',
    V: text(takerBuyVolume),
    Q: '0.0',
    B: '0',
  }
  return JSON.stringify({ stream: `${symbol.toLowerCase()}@kline_1m`, data: { e: 'kline', E: timeMs, s: symbol, k } })
}

export const binanceDialect: Dialect = {
  source: 'binance',
  symbols: ['BTCUSDT', 'CAKEUSDT'],
  sessionClass: 'crypto',
  quietMinutes: 'flat',
  hasVolume: true,
  hasTakerBuyVolume: true,
  endsAfterMs: 24 * 3_600_000,
  answer(request, truth) {
    if (request.path === '/api/v3/time') return json({ serverTime: truth.nowMs() })
    return request.path === '/api/v3/klines' ? klines(request, truth) : null
  },
  received(peer, frame, truth) {
    const { method, params, id } = command.parse(JSON.parse(frame.toString()))
    const symbols = params.map((stream) => stream.replace('@kline_1m', '').toUpperCase())
    if (!symbols.every((symbol) => truth.isOffered(symbol))) return peer.send(JSON.stringify({ code: 2, msg: 'Invalid request', id }))
    for (const symbol of symbols) {
      if (method === 'SUBSCRIBE') peer.subscribe(symbol)
      else peer.unsubscribe(symbol)
    }
    peer.send(JSON.stringify({ result: null, id }))
  },
  frames: (event) => [kline(event)],
  withoutClose: (frame) => frame.toString().replace('"x":true', '"x":false'),
  shutdownNotice: (truth) => JSON.stringify({ e: 'serverShutdown', E: truth.nowMs() }),
}
