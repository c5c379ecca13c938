// The two servers of lab/bench/fanout.ts: a bare ws broadcast, and our live server with real sessions behind an in-memory bus.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { realClock } from '#server/features/market-data/real-clock.ts'
import { memoryBus, type SeriesState } from '#server/features/market-data/gateway/market-bus.ts'
import { frameOf, rowOf } from '#server/features/market-data/live/broadcast-channel.ts'
import { LiveServer } from '#server/features/market-data/live/live-server.ts'
import { SeriesViews } from '#server/features/market-data/live/series-view.ts'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { openDatabase } from '#server/open-database.ts'
import { sessionFinder } from '#server/features/auth/session-finder.ts'
import { databasePresence } from '#server/features/users/database-presence.ts'
import { SocketPresence } from '#server/features/users/socket-presence.ts'
import { snapshotMax } from '#shared/market-data/live/contract.ts'
import { addSessions } from './many-sessions.ts'
import { benchSeries } from './fanout-series.ts'

const clock = realClock()
const kind = process.argv[2]
const watched = benchSeries.slice(0, Number(process.argv[3] ?? 1))
const count = Number(process.argv[4] ?? 0)
const folder = process.argv[5] ?? ''
/** Minimum publish interval of the hub. */
const everyMs = 250
let database: Database | undefined
let isStopping = false
const server = createServer()
const send = kind === 'bare' ? bare() : await tezi()
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4096, resolve))
const rssBeforeBytes = process.memoryUsage.rss()
const beforeConnect = process.cpuUsage()
process.send?.({ port: (server.address() as AddressInfo).port })

process.on('message', (message: { seconds: number } | 'stop') => void (message === 'stop' ? stop() : run(message.seconds)))

async function stop(): Promise<void> {
  isStopping = true
  await database?.close()
  process.exit()
}

async function run(seconds: number): Promise<void> {
  const connect = process.cpuUsage(beforeConnect)
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
  process.send?.({
    cpuMs: (used.user + used.system) / 1_000,
    sentAt,
    rssBytes,
    rssBeforeBytes,
    connectCpuMs: (connect.user + connect.system) / 1_000,
  })
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

async function tezi(): Promise<(seq: number, candle: Candle) => void> {
  const { bus, hub } = memoryBus()
  const onError = (error: unknown): void => void (isStopping || console.error(error))
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
  hub.onRequested((wanted) => {
    for (const series of wanted) setImmediate(() => hub.publish(state(series, 0, [tick(0)]), state(series, 0, [])))
  })
  const untilMs = Math.floor(Date.now() / minuteMs) * minuteMs
  const candles = Array.from({ length: snapshotMax }, (_, index) => ({
    ...tick(index),
    timeMs: untilMs - (snapshotMax - index) * minuteMs,
  }))
  const history = {
    candles: () => Promise.resolve({ candles, hasOlder: true, startsAtMs: null, untilMs, wholeSinceMs: 0 }),
    rows: () => Promise.resolve({ pieces: [], hasOlder: false, startsAtMs: null }),
    recheck: () => Promise.resolve(),
  }
  const { db, finder, pages } = await realSessions(onError)
  const live = new LiveServer({
    server,
    db,
    views: new SeriesViews({ bus, history, clock, onError }),
    clock,
    cookieOf: (header) => header?.slice('tezi_session='.length),
    findSession: (cookie, token) => finder.findCurrent(cookie, token, false),
    isKnown: (cookie) => finder.isKnown(cookie),
    readSession: (id) => finder.findById(id),
    isHidden: () => false,
    attend: (session) => pages.attend(session),
    isOwnOrigin: () => true,
    // A unique address for each, because thousands of clients connect at once.
    addressOf: () => crypto.randomUUID(),
    connectionsMax: 100_000,
    onRejected: () => undefined,
    onError,
  })
  server.once('close', () => void live.close())
  return (seq, candle) => {
    for (const series of watched) hub.publish(state(series, seq, [candle]), state(series, seq, [candle]))
  }
}

/** A database with a session for each client, read as the server reads them. */
async function realSessions(onError: (error: unknown) => void) {
  const log = (): void => undefined
  const opened = await openDatabase({ dataDir: folder, log })
  database = opened
  await migrate(opened, log)
  const { db } = opened
  writeFileSync(`${folder}/sessions.json`, JSON.stringify(await addSessions(db, count)))
  const finder = sessionFinder({ db, now: Date.now })
  const pages = new SocketPresence({ presence: databasePresence(db), clock, onError })
  return { db, finder, pages }
}
