// Fake Coinbase Exchange server: candles and trades by REST, matches and heartbeats by WebSocket, as publicly documented.
import { z } from 'zod'
import type { Trade } from '../../feed.ts'
import type { Dialect, DialectAnswer, DialectRequest, Truth } from './dialect.ts'

const steps: Readonly<Record<string, '1m' | '1h' | '1D'>> = { 60: '1m', 3600: '1h', 86400: '1D' }
const mostCandles = 300
const command = z.object({
  type: z.enum(['subscribe', 'unsubscribe']),
  product_ids: z.array(z.string()),
  channels: z.array(z.enum(['matches', 'heartbeat'])),
})

const json = (body: unknown, status = 200): DialectAnswer => ({ status, body: JSON.stringify(body) })
const iso = (ms: number) => new Date(ms).toISOString().replace('Z', '123Z')

/** Trades are numbered from 1001. */
function numbered(trade: Trade, index: number): Record<string, unknown> {
  return {
    trade_id: 1001 + index,
    side: trade.isTakerBuy === true ? 'sell' : 'buy',
    size: trade.size?.toFixed(8),
    price: trade.price.toFixed(2),
    time: iso(trade.timeMs),
  }
}

function candles(symbol: string, { query }: DialectRequest, truth: Truth): DialectAnswer {
  const width = Number(query.get('granularity'))
  const step = steps[width]
  const from = Date.parse(query.get('start') ?? '') / 1000
  const to = Date.parse(query.get('end') ?? '') / 1000
  if (step === undefined) return json({ message: 'Unsupported granularity' }, 400)
  if ((to - from) / width > mostCandles) return json({ message: 'granularity too small for the requested time range' }, 400)
  const wanted = truth.candles(symbol, step).filter(({ timeMs }) => timeMs / 1000 >= from - 5 * width && timeMs / 1000 <= to)
  return json(wanted.toReversed().map(({ timeMs, low, high, open, close, volume }) => [timeMs / 1000, low, high, open, close, volume]))
}

function trades(symbol: string, { query }: DialectRequest, truth: Truth): DialectAnswer {
  const limit = Math.min(1000, Number(query.get('limit') ?? 1000))
  const after = Number(query.get('after') ?? Infinity)
  const all = truth.trades(symbol).map(numbered)
  return json(
    all
      .filter((trade) => Number(trade['trade_id']) < after)
      .slice(-limit)
      .toReversed(),
  )
}

export const coinbaseDialect: Dialect = {
  source: 'coinbase',
  symbols: ['BTC-USD', 'ETH-USD'],
  sessionClass: 'crypto',
  quietMinutes: 'absent',
  hasVolume: true,
  hasTakerBuyVolume: 'live',
  answer(request, truth) {
    if (request.path === '/time') return json({ iso: new Date(truth.nowMs()).toISOString(), epoch: truth.nowMs() / 1000 })
    const [, products, symbol = '', what] = request.path.split('/')
    if (products !== 'products' || (what !== 'candles' && what !== 'trades')) return null
    if (!truth.isOffered(symbol)) return json({ message: 'NotFound' }, 404)
    return what === 'candles' ? candles(symbol, request, truth) : trades(symbol, request, truth)
  },
  received(peer, frame, truth) {
    const { type, product_ids: symbols } = command.parse(JSON.parse(frame.toString()))
    const unknown = symbols.find((symbol) => !truth.isOffered(symbol))
    if (unknown !== undefined && type === 'subscribe') {
      peer.send(JSON.stringify({ type: 'error', message: 'Failed to subscribe', reason: `${unknown} is not a valid product` }))
      return
    }
    for (const symbol of symbols) {
      if (type === 'subscribe') peer.subscribe(symbol)
      else peer.unsubscribe(symbol)
      const last = truth.trades(symbol).map(numbered).at(-1)
      if (type === 'subscribe' && last) peer.send(JSON.stringify({ type: 'last_match', ...last, product_id: symbol, sequence: 1 }))
    }
    const ids = [...peer.subscribed]
    peer.send(JSON.stringify({ type: 'subscriptions', channels: ['matches', 'heartbeat'].map((name) => ({ name, product_ids: ids })) }))
  },
  frames({ symbol, trade, timeMs }, _peer, truth) {
    if (trade === undefined) return []
    const last = truth.trades(symbol).map(numbered).at(-1)
    return [JSON.stringify({ type: 'match', ...last, product_id: symbol, sequence: timeMs, maker_order_id: 'm', taker_order_id: 't' })]
  },
  heartbeat: (peer, truth) =>
    [...peer.subscribed].map((symbol) =>
      JSON.stringify({
        type: 'heartbeat',
        sequence: truth.nowMs(),
        last_trade_id: 1000 + truth.trades(symbol).length,
        product_id: symbol,
        time: iso(truth.nowMs()),
      }),
    ),
}
