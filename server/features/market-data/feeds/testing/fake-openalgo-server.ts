// Fake OpenAlgo instance: calls with the key in the body, and a WebSocket that authenticates first.
import { z } from 'zod'
import { indiaIsoDate } from '#shared/base/india-time.ts'
import type { Dialect, DialectAnswer, DialectRequest, Peer, Truth } from './dialect.ts'
import { nseShares } from './nse-shares.ts'

export const openAlgoTestKey = 'openalgo-test-key'

const steps = { '1m': '1m', '1h': '1h', D: '1D' } as const

const historySchema = z.object({
  exchange: z.string(),
  symbol: z.string(),
  interval: z.enum(['1m', '1h', 'D']),
  start_date: z.iso.date(),
  end_date: z.iso.date(),
})

const json = (status: number, body: unknown): DialectAnswer => ({ status, body: JSON.stringify(body) })

function candles(body: unknown, truth: Truth): DialectAnswer {
  const { exchange, symbol, interval, start_date: from, end_date: to } = historySchema.parse(body)
  if (!truth.isOffered(`${exchange}:${symbol}`)) return json(400, { status: 'error', message: 'Symbol not found' })
  const data = truth
    .candles(`${exchange}:${symbol}`, steps[interval])
    .filter(({ timeMs }) => indiaIsoDate(timeMs) >= from && indiaIsoDate(timeMs) <= to)
    .map(({ timeMs, open, high, low, close, volume }) => ({ timestamp: timeMs / 1000, open, high, low, close, volume, oi: 0 }))
  return json(200, { status: 'success', data })
}

function answer({ method, path, body }: DialectRequest, truth: Truth): DialectAnswer | null {
  if (method !== 'POST') return json(405, { status: 'error', message: 'Method not allowed' })
  const asked = JSON.parse(body) as { apikey?: unknown }
  if (asked.apikey !== openAlgoTestKey) return json(403, { status: 'error', message: 'Invalid openalgo apikey' })
  if (path === '/api/v1/history') return candles(asked, truth)
  if (path !== '/api/v1/intervals') return null
  return json(200, { status: 'success', data: { days: ['D'], hours: ['1h'], minutes: ['1m', '5m'], seconds: [] } })
}

const symbolsSchema = z.array(z.object({ exchange: z.string(), symbol: z.string() }))
const commandSchema = z.union([
  z.object({ action: z.literal('authenticate'), api_key: z.string() }),
  z.object({ action: z.enum(['subscribe', 'unsubscribe']), mode: z.literal('Quote'), symbols: symbolsSchema }),
])

function subscribe(peer: Peer, symbols: z.output<typeof symbolsSchema>, truth: Truth): void {
  const subscriptions = symbols.map(({ exchange, symbol }) => {
    const name = `${exchange}:${symbol}`
    if (!truth.isOffered(name)) return { exchange, symbol, status: 'error', message: 'Symbol not found', broker: 'test' }
    peer.subscribe(name)
    return { exchange, symbol, status: 'success', mode: 'Quote', broker: 'test' }
  })
  peer.send(JSON.stringify({ type: 'subscribe', status: 'partial', subscriptions, message: 'Done', broker: 'test' }))
}

function received(peer: Peer, text: string, truth: Truth): void {
  const command = commandSchema.parse(JSON.parse(text))
  const isKnown = peer.memory.get('user') === true
  if (command.action === 'authenticate') {
    const isRight = command.api_key === openAlgoTestKey
    peer.memory.set('user', isRight)
    const bad = { status: 'error', code: 'AUTHENTICATION_ERROR', message: 'Invalid API key' }
    return peer.send(JSON.stringify(isRight ? { type: 'auth', status: 'success', broker: 'test' } : bad))
  }
  if (!isKnown) return peer.send(JSON.stringify({ status: 'error', code: 'NOT_AUTHENTICATED', message: 'Authenticate first' }))
  if (command.action === 'subscribe') return subscribe(peer, command.symbols, truth)
  for (const { exchange, symbol } of command.symbols) peer.unsubscribe(`${exchange}:${symbol}`)
  peer.send(JSON.stringify({ type: 'unsubscribe', status: 'success', successful: command.symbols, failed: [] }))
}

export const openAlgoDialect: Dialect = {
  source: 'openalgo',
  symbols: ['NSE:RELIANCE', 'NSE:HAVELLS'],
  ...nseShares,
  answer,
  received: (peer, frame, truth) => received(peer, frame.toString(), truth),
  frames({ symbol: name, trade, dayVolume, timeMs }) {
    // Brokers stamp a quote with its own time, so nothing is sent at the end of a minute.
    if (trade === undefined) return []
    const [exchange, symbol] = name.split(':')
    const data = { ltp: trade.price, open: null, high: null, low: null, close: null, volume: dayVolume, timestamp: timeMs }
    return [JSON.stringify({ type: 'market_data', exchange, symbol, mode: 2, broker: 'test', data })]
  },
}
