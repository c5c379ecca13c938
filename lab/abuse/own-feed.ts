// Users' own OpenAlgo instances that send as many quotes and as large histories as the server reads, and one that has no address.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket, WebSocketServer } from 'ws'
import { basePath } from '#shared/http/route.ts'
import { livePath, liveVersion } from '#shared/market-data/live/contract.ts'
import type { AbuseSession, Attack, AttackCounts, Target } from './attack.ts'

const port = 59_321
const quotesPerBatch = 2_000
const batchMs = 60
const historyRows = 60_000

export const ownFeedAttack: Attack = {
  summary:
    'Own OpenAlgo instances of premium accounts with 32,000 quotes a second and histories of 6 MB, and one whose host has no address.',
  accounts: 3,
  hasPremium: true,
  environment: { SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), BROKER_HOSTS: `127.0.0.1:${port}` },
  goals: [
    { text: 'p99 of GET /healthz, ms', max: 100, figureOf: ({ quantile }) => quantile('attacked', 'GET /healthz', 0.99) },
    { text: 'rise of the memory, MB', max: 100, figureOf: ({ rssRiseMb }) => rssRiseMb },
    {
      text: 'failed calls of honest users',
      max: 0,
      figureOf: ({ kinds, failed }) => kinds.reduce((sum, kind) => sum + failed('attacked', kind), 0),
    },
  ],
  run,
}

async function run({ address, sessions, signal, begin }: Target): Promise<AttackCounts> {
  const counts = { quotes: 0, 'connections of the server': 0, histories: 0, 'connected accounts': 0 }
  const server = hostileInstance(counts, signal)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  begin()
  const [first, ...others] = sessions
  if (first !== undefined) await connect(address, first, 'https://no-such-host.invalid')
  for (const session of others) if (await connect(address, session, url)) counts['connected accounts'] += 1
  await Promise.all(others.flatMap((session) => [watch(address, session, signal), readHistory(address, session, signal)]))
  server.closeAllConnections()
  server.close()
  return counts
}

async function connect(address: string, session: AbuseSession, url: string): Promise<boolean> {
  const answer = await fetch(`${address}${basePath}/user/broker/openalgo`, {
    method: 'POST',
    headers: { cookie: session.cookie, 'session-token': session.token, 'content-type': 'application/json' },
    body: JSON.stringify({ url, apiKey: 'openalgo-key' }),
  })
  return answer.ok
}

async function readHistory(address: string, { cookie, token }: AbuseSession, signal: AbortSignal): Promise<void> {
  for (let page = 0; !signal.aborted; page += 1) {
    const path = `${basePath}/market/candles/${page % 2 === 0 ? 'reliance' : 'nifty'}?timeframe=${page % 3 === 0 ? '1D' : '1'}&limit=500`
    const answer = fetch(address + path, { headers: { cookie, 'session-token': token }, signal: AbortSignal.timeout(10_000) })
    await answer.then((found) => found.arrayBuffer()).catch(() => undefined)
    await delay(250)
  }
}

/** Keeps a chart of the account open. */
async function watch(address: string, session: AbuseSession, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const socket = new WebSocket(address.replace(/^http/, 'ws') + basePath + livePath, { headers: { cookie: session.cookie } })
    socket.on('error', () => undefined)
    const closed = once(socket, 'close').catch(() => undefined)
    socket.on('open', () => {
      socket.send(JSON.stringify({ t: 'hello', v: liveVersion, token: session.token }))
      for (const [index, slug] of ['reliance', 'nifty'].entries())
        socket.send(JSON.stringify({ t: 'sub', id: index + 1, slug, timeframe: '1', bars: 300 }))
    })
    await Promise.race([closed, once(signal, 'abort')])
    socket.terminate()
    await delay(500)
  }
}

/** Accepts every key and symbol. */
function hostileInstance(counts: { quotes: number; 'connections of the server': number; histories: number }, signal: AbortSignal) {
  const rows = JSON.stringify(Array.from({ length: historyRows }, (_, index) => rowAt(Date.now() - (historyRows - index) * 60_000)))
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    request.resume()
    if (request.url?.endsWith('/history') === true) {
      counts.histories += 1
      response.end(`{"status":"success","data":${rows}}`)
    } else response.end('{"status":"success","data":{"days":["D"],"hours":["1h"],"minutes":["1m"]}}')
  })
  const sockets = new WebSocketServer({ server, path: '/ws', perMessageDeflate: true })
  sockets.on('connection', (socket) => {
    counts['connections of the server'] += 1
    socket.on('error', () => undefined)
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { action: string; symbols?: { exchange: string; symbol: string }[] }
      if (message.action === 'authenticate') socket.send('{"type":"auth","status":"success"}')
      if (message.action !== 'subscribe') return
      const { symbols = [] } = message
      socket.send(JSON.stringify({ type: 'subscribe', subscriptions: symbols.map((symbol) => ({ ...symbol, status: 'success' })) }))
      for (const symbol of symbols) void flood(socket, symbol, counts, signal)
    })
  })
  return server
}

async function flood(
  socket: WebSocket,
  { exchange, symbol }: { readonly exchange: string; readonly symbol: string },
  counts: { quotes: number },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && socket.readyState === socket.OPEN) {
    for (let count = 0; count < quotesPerBatch; count += 1) {
      const data = { ltp: 1_400 + (count % 100) / 10, volume: counts.quotes, timestamp: Date.now() }
      socket.send(JSON.stringify({ type: 'market_data', exchange, symbol, data }))
      counts.quotes += 1
    }
    await delay(batchMs)
    // As fast as the server reads, without filling our own memory.
    while (socket.bufferedAmount > 1024 * 1024 && socket.readyState === socket.OPEN && !signal.aborted) await delay(5)
  }
}

function rowAt(timeMs: number) {
  return { timestamp: Math.floor(timeMs / 60_000) * 60, open: 1_400, high: 1_401, low: 1_399, close: 1_400, volume: 10 }
}
