// The two servers of bench/fanout.ts: a bare ws broadcast, and our live server behind an in-memory bus.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { CurrentSession } from '#server/http/request-actor.ts'
import { realClock } from '#server/features/market-data/feed-clock.ts'
import type { SeriesState } from '#server/features/market-data/gateway/bus.ts'
import { memoryBus } from '#server/features/market-data/gateway/bus-memory.ts'
import { frameOf, rowOf } from '#server/features/market-data/live/broadcast-channel.ts'
import { LiveServer } from '#server/features/market-data/live/live-server.ts'
import { seriesViews } from '#server/features/market-data/live/series-views.ts'
import type { Db } from '#server/db/database.ts'
import { benchSeries } from './fanout-series.ts'

const kind = process.argv[2]
const watched = benchSeries.slice(0, Number(process.argv[3] ?? 1))
/** Minimum publish interval of the hub. */
const everyMs = 250
const server = createServer()
const send = kind === 'bare' ? bare() : tezi()
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4096, resolve))
const rssBeforeBytes = process.memoryUsage.rss()
process.send?.({ port: (server.address() as AddressInfo).port })

process.on('message', (message: { seconds: number }) => void run(message.seconds))

async function run(seconds: number): Promise<void> {
  globalThis.gc?.()
  const rssBytes = process.memoryUsage.rss()
  const sentAt: Record<string, number> = {}
  const before = process.cpuUsage()
  let seq = 0
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      seq += 1
      sentAt[String(seq)] = performance.timeOrigin + performance.now()
      send(seq, tick(seq))
      if (seq < (seconds * 1_000) / everyMs) return
      clearInterval(timer)
      setTimeout(resolve, 1_000)
    }, everyMs)
  })
  const used = process.cpuUsage(before)
  process.send?.({ cpuMs: (used.user + used.system) / 1_000, sentAt, rssBytes, rssBeforeBytes, bytesPerFrame: 0 })
}

function tick(seq: number): Candle {
  const timeMs = Math.floor(Date.now() / minuteMs) * minuteMs
  const close = 24_000 + Math.sin(seq) * 10
  return { timeMs, open: 24_000, high: 24_012.35, low: 23_988.1, close, volume: null, takerBuyVolume: null }
}

function bare(): (seq: number, candle: Candle) => void {
  const rooms = new Map<string, Set<WebSocket>>(watched.map((series) => [series, new Set()]))
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', (socket, request) => rooms.get(request.url?.split('?')[1] ?? '')?.add(socket))
  return (seq, candle) => {
    for (const [series, room] of rooms) {
      const frame = frameOf({ t: 'upd', k: `${series}:1`, p: seq - 1, q: seq, c: [rowOf(candle)] })
      for (const socket of room) socket.send(frame, { binary: false })
    }
  }
}

function tezi(): (seq: number, candle: Candle) => void {
  const { bus, hub } = memoryBus()
  const onError = (error: unknown): void => console.error(error)
  const condition = {
    source: 'demo',
    label: { mode: 'demo', source: 'Tezi demo', delayMinutes: 0, proxy: null },
    sessionClass: 'crypto',
    isStale: false,
    reason: null,
  } as const
  const state = (series: string, seq: number, minutes: readonly Candle[]): SeriesState => ({
    series,
    epoch: 'bench',
    seq,
    minutes,
    condition,
  })
  hub.onWanted((wanted) => {
    for (const series of wanted) setImmediate(() => hub.publish(state(series, 0, [tick(0)]), state(series, 0, [])))
  })
  const history = {
    candles: () => Promise.resolve({ candles: [], hasOlder: false, startsAtMs: null, untilMs: 0, wholeSinceMs: 0 }),
    rows: () => Promise.resolve({ pieces: [], hasOlder: false, startsAtMs: null }),
    recheck: () => Promise.resolve(),
  }
  const user = { _id: 'bench', role: 'admin', isPremium: true, premiumEndDate: null } as unknown as CurrentSession['user']
  const readSession = () => Promise.resolve({ id: 'bench', confirmedAtMs: 0, user: { ...user, _id: crypto.randomUUID() } })
  const live = new LiveServer({
    server,
    // Access never changes here, so the watch reads an empty table.
    db: emptyDb(),
    views: seriesViews({ bus, history, clock: realClock, onError }),
    clock: realClock,
    cookieOf: (header) => header,
    findSession: readSession,
    readSession,
    isHidden: () => false,
    attend: () => () => undefined,
    isOwnOrigin: () => true,
    // A unique address for each, because thousands of clients connect at once.
    addressOf: () => crypto.randomUUID(),
    connectionsMax: 100_000,
    onError,
  })
  server.once('close', () => void live.close())
  return (seq, candle) => {
    for (const series of watched) hub.publish(state(series, seq, [candle]), state(series, seq, [candle]))
  }
}

function emptyDb(): Db {
  const executor = {
    transformQuery: (node: unknown) => node,
    compileQuery: () => ({}),
    executeQuery: () => Promise.resolve({ rows: [] }),
    adapter: {},
  }
  return { getExecutor: () => executor } as unknown as Db
}
