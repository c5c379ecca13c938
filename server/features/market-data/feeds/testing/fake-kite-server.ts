// Fake Kite server of Zerodha: the instrument list, candles in Indian time, and binary packets.
import { z } from 'zod'
import { dayMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { HistoryStep } from '../../feed.ts'
import { indiaTime, parseIndiaTime } from '#shared/base/india-time.ts'
import type { Dialect, DialectAnswer, DialectRequest, MarketEvent, Peer, Truth } from './dialect.ts'
import { nseShares } from './nse-shares.ts'

export const kiteKeys = { apiKey: 'kite-test-key', accessToken: 'kite-test-token' }

/** Two shares on the NSE, whose segment is 1, and an index, whose segment is 9. */
const tokens: Readonly<Record<string, number>> = { 'NSE:RELIANCE': 738_561, 'NSE:HAVELLS': 2_513_665, 'NSE:NIFTY 50': 256_265 }
const symbolOf = new Map(Object.entries(tokens).map(([symbol, token]) => [token, symbol]))

const intervals: Readonly<Record<string, readonly [step: HistoryStep, daysMax: number]>> = {
  minute: ['1m', 60],
  '60minute': ['1h', 400],
  day: ['1D', 2000],
}
const pathPattern = /^\/instruments\/historical\/(\d+)\/(\w+)$/

const json = (status: number, body: unknown): DialectAnswer => ({ status, body: JSON.stringify(body) })
const rejection = (status: number, kind: string) =>
  json(status, { status: 'error', error_type: kind, message: `Refused, ${kiteKeys.accessToken}` })

function instruments(exchange: string, truth: Truth): DialectAnswer {
  const rows = Object.entries(tokens)
    .filter(([symbol]) => symbol.startsWith(`${exchange}:`) && truth.isOffered(symbol))
    .map(([symbol, token]) => `${token},1,${symbol.slice(4)},"${symbol}, LIMITED",0,,0,0.05,1,EQ,NSE,${exchange}`)
  const header =
    'instrument_token,exchange_token,tradingsymbol,name,last_price,expiry,strike,tick_size,lot_size,instrument_type,segment,exchange'
  return { status: 200, headers: { 'content-type': 'text/csv' }, body: [header, ...rows, ''].join('\n') }
}

function row(candle: Candle, step: HistoryStep): unknown[] {
  const atMs = step === '1D' ? parseIndiaTime(new Date(candle.timeMs).toISOString().slice(0, 10)) : candle.timeMs
  const { open, high, low, close, volume } = candle
  return [`${indiaTime(atMs).replace(' ', 'T')}+0530`, open, high, low, close, volume]
}

function candles(token: number, interval: string, query: URLSearchParams, truth: Truth): DialectAnswer {
  const symbol = symbolOf.get(token)
  const [step, daysMax] = intervals[interval] ?? ['1m', 0]
  const fromMs = parseIndiaTime(query.get('from') ?? '')
  const toMs = parseIndiaTime(query.get('to') ?? '')
  if (symbol === undefined || !(toMs - fromMs <= daysMax * dayMs)) return rejection(400, 'InputException')
  const rows = truth.candles(symbol, step).map((candle) => row(candle, step))
  const wanted = rows.filter(([stamp]) => parseIndiaTime(String(stamp)) >= fromMs && parseIndiaTime(String(stamp)) <= toMs)
  return json(200, { status: 'success', data: { candles: wanted } })
}

function answer({ path, query, headers }: DialectRequest, truth: Truth): DialectAnswer | null {
  const isKnown = headers['authorization'] === `token ${kiteKeys.apiKey}:${kiteKeys.accessToken}`
  if (!isKnown || headers['x-kite-version'] !== '3') return rejection(403, 'TokenException')
  const [, token, interval] = pathPattern.exec(path) ?? []
  if (token !== undefined && interval !== undefined) return candles(Number(token), interval, query, truth)
  return path.startsWith('/instruments/') ? instruments(path.slice('/instruments/'.length), truth) : null
}

interface Stand {
  readonly symbol: string
  readonly price: number
  readonly size: number
  readonly dayVolume: number
  readonly tradeMs: number
  readonly nowMs: number
}

/** A frame with one full packet: 184 bytes with an empty order book, or 32 bytes for an index. */
function frameOf({ symbol, price, size, dayVolume, tradeMs, nowMs }: Stand): Buffer {
  const token = tokens[symbol] ?? 0
  const isIndex = (token & 0xff) === 9
  const length = isIndex ? 32 : 184
  const frame = Buffer.alloc(4 + length)
  frame.writeUInt16BE(1, 0)
  frame.writeUInt16BE(length, 2)
  const [tradeSeconds, seconds] = [Math.floor(tradeMs / 1000), Math.floor(nowMs / 1000)]
  const rest = isIndex
    ? ([[28, tradeSeconds]] as const)
    : ([
        [8, size],
        [16, dayVolume],
        [44, tradeSeconds],
        [60, seconds],
      ] as const)
  for (const [at, value] of [[0, token] as const, [4, Math.round(price * 100)] as const, ...rest]) frame.writeUInt32BE(value, 4 + at)
  return frame
}

/** Sent immediately on subscription: the last trade, however old. */
function snapshot(symbol: string, truth: Truth): Buffer | undefined {
  const trades = truth.trades(symbol)
  const last = trades.at(-1)
  if (last === undefined) return undefined
  const nowMs = truth.nowMs()
  const dayStartMs = nowMs - (nowMs % dayMs)
  const dayVolume = trades.reduce((sum, one) => sum + (one.timeMs >= dayStartMs ? (one.size ?? 0) : 0), 0)
  return frameOf({ symbol, price: last.price, size: last.size ?? 0, dayVolume, tradeMs: last.timeMs, nowMs })
}

const commandSchema = z.union([
  z.object({ a: z.enum(['subscribe', 'unsubscribe']), v: z.array(z.number()) }),
  z.object({ a: z.literal('mode'), v: z.tuple([z.literal('full'), z.array(z.number())]) }),
])

function received(peer: Peer, text: string, truth: Truth): void {
  const command = commandSchema.parse(JSON.parse(text))
  const numbers = command.a === 'mode' ? command.v[1] : command.v
  for (const symbol of numbers.map((token) => symbolOf.get(token))) {
    if (symbol === undefined) continue
    if (command.a === 'unsubscribe') peer.unsubscribe(symbol)
    if (command.a !== 'mode') continue
    // Without its mode a symbol would get shorter packets, which no scenario covers.
    peer.subscribe(symbol)
    const first = snapshot(symbol, truth)
    if (first !== undefined) peer.send(first)
  }
}

/** A packet after every trade; at the end of a minute the last one again, as when only the order book changed. */
function frames(event: MarketEvent, peer: Peer): Buffer[] {
  const { symbol, trade, dayVolume, timeMs } = event
  if (trade === undefined) {
    const before = peer.memory.get(symbol)
    return before instanceof Buffer ? [before] : []
  }
  const frame = frameOf({ symbol, price: trade.price, size: trade.size ?? 0, dayVolume, tradeMs: trade.timeMs, nowMs: timeMs })
  peer.memory.set(symbol, frame)
  return [frame]
}

export const kiteDialect: Dialect = {
  source: 'kite',
  symbols: ['NSE:RELIANCE', 'NSE:HAVELLS'],
  ...nseShares,
  answer,
  connected(peer) {
    if (peer.url.searchParams.get('access_token') !== kiteKeys.accessToken) peer.close(1008)
    // Informational messages are text frames.
    peer.send(JSON.stringify({ type: 'message', data: 'Welcome' }))
  },
  received: (peer, frame, truth) => received(peer, frame.toString(), truth),
  frames,
  heartbeat: () => [Buffer.from([0])],
}
