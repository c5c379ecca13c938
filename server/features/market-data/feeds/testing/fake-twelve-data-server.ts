// Fake Twelve Data server: rows as text in UTC, errors with status and code, and a price socket.
import { z } from 'zod'
import type { Dialect, DialectAnswer, DialectRequest, Peer, Truth } from './dialect.ts'

export const twelveDataTestKey = 'twelve-data-test-key'

const steps = { '1min': '1m', '1h': '1h', '1day': '1D' } as const
const rowsMax = 5000

const json = (body: object, status = 200): DialectAnswer => ({ status, body: JSON.stringify(body) })
const rejection = (code: number, message: string) => json({ code, message, status: 'error' }, code)

function answer({ path, query, headers }: DialectRequest, truth: Truth): DialectAnswer | null {
  if (path !== '/time_series') return null
  if (headers['authorization'] !== `apikey ${twelveDataTestKey}`) return rejection(401, `The key ${twelveDataTestKey} is wrong`)
  const symbol = query.get('symbol') ?? ''
  if (!truth.isOffered(symbol)) return rejection(404, '**symbol** or **figi** parameter is missing or invalid')
  const step = steps[query.get('interval') as keyof typeof steps]
  if (query.get('timezone') !== 'UTC' || query.get('order') !== 'ASC') return rejection(400, 'Not as this test speaks it')
  const fromMs = Date.parse(`${query.get('start_date')}Z`)
  const toMs = Date.parse(`${query.get('end_date')}Z`)
  const wanted = truth.candles(symbol, step).filter(({ timeMs }) => timeMs >= fromMs && timeMs <= toMs)
  if (wanted.length === 0) return rejection(400, 'No data is available on the specified dates. Try setting different start/end dates.')
  const values = wanted.slice(-rowsMax).map(({ timeMs, open, high, low, close }) => {
    const [o, h, l, c] = [open, high, low, close].map((price) => price.toFixed(5))
    const datetime = new Date(timeMs)
      .toISOString()
      .slice(0, step === '1D' ? 10 : 19)
      .replace('T', ' ')
    return { datetime, open: o, high: h, low: l, close: c }
  })
  return json({ meta: { symbol, interval: query.get('interval'), type: 'Physical Currency' }, values, status: 'ok' })
}

const commandSchema = z.union([
  z.object({ action: z.literal('heartbeat') }),
  z.object({ action: z.enum(['subscribe', 'unsubscribe']), params: z.object({ symbols: z.string() }) }),
])

function received(peer: Peer, text: string, truth: Truth): void {
  const command = commandSchema.parse(JSON.parse(text))
  if (command.action === 'heartbeat') return peer.send(JSON.stringify({ event: 'heartbeat', status: 'ok' }))
  const symbols = command.params.symbols.split(',')
  if (command.action === 'unsubscribe') {
    for (const symbol of symbols) peer.unsubscribe(symbol)
    return peer.send(
      JSON.stringify({ event: 'unsubscribe-status', status: 'ok', success: symbols.map((symbol) => ({ symbol })), fails: null }),
    )
  }
  const [success, fails] = [true, false].map((isOffered) =>
    symbols
      .filter((symbol) => truth.isOffered(symbol) === isOffered)
      .map((symbol) => ({ symbol, exchange: 'FOREX', type: 'Physical Currency' })),
  )
  for (const { symbol } of success ?? []) peer.subscribe(symbol)
  peer.send(JSON.stringify({ event: 'subscribe-status', status: fails?.length === 0 ? 'ok' : 'warning', success, fails }))
}

export const twelveDataDialect: Dialect = {
  source: 'twelve-data',
  symbols: ['EUR/USD', 'GBP/USD'],
  sessionClass: 'fx',
  quietMinutes: 'absent',
  hasVolume: false,
  hasTakerBuyVolume: false,
  answer,
  received: (peer, frame, truth) => received(peer, frame.toString(), truth),
  frames({ symbol, trade, timeMs }) {
    if (trade === undefined) return []
    const timestamp = Math.floor(timeMs / 1000)
    return [JSON.stringify({ event: 'price', symbol, exchange: 'FOREX', type: 'Physical Currency', timestamp, price: trade.price })]
  },
}
