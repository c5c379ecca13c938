// The server of lab/bench/soak.ts: hub, store and sockets as in the product, with a feed that is cut every 20 seconds.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CurrentSession } from '#server/http/session.ts'
import { realClock } from '#server/features/market-data/real-clock.ts'
import type { Feed, FeedSink, SourceName } from '#server/features/market-data/feed.ts'
import { demoFeed } from '#server/features/market-data/feeds/demo-feed.ts'
import { rowOf } from '#server/features/market-data/live/broadcast-channel.ts'
import { LiveServer } from '#server/features/market-data/live/live-server.ts'
import { marketData } from '#server/features/market-data/live/market-data.ts'
import { testMarket } from '#server/testing/market.ts'
import { startTestEngine } from '#server/testing/test-engine.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'

const cutEveryMs = 20_000
const cutForMs = 3_000
/** Subscriptions of the clients. */
const watched: readonly (readonly [series: string, timeframe: Timeframe])[] = [
  ['btc-usdt', '1'],
  ['btc-usdt', '5'],
  ['btc-usdt', '60'],
]

const clock = realClock()
let cuts = 0
let isFrozen = false
const engine = await startTestEngine()
const { db } = await engine.freshDatabase()
const feeds = new Map<SourceName, Feed>([['binance', cutFeed(demoFeed({ clock, seed: 'soak' }))]])
const { wiring } = testMarket(db, () => Date.now(), { feeds, hasDemo: false })
const onError = (error: unknown): void => console.error(error)
const data = marketData(wiring, onError)
const server = createServer()
const user = { role: 'admin', isPremium: true, premiumEndDate: null }
const readSession = () =>
  Promise.resolve({ id: 'soak', confirmedAtMs: 0, user: { ...user, _id: randomUUID() } } as unknown as CurrentSession)
const live = new LiveServer({
  server,
  db,
  views: data.views,
  clock,
  cookieOf: (header) => header,
  findSession: readSession,
  isKnown: () => Promise.resolve(true),
  readSession,
  isHidden: () => false,
  attend: () => () => undefined,
  isOwnOrigin: () => true,
  addressOf: () => crypto.randomUUID(),
  connectionsMax: 100_000,
  onRejected: () => undefined,
  onError,
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4096, resolve))
process.send?.({ port: (server.address() as AddressInfo).port })

process.on('message', (message) => {
  if (message === 'sample') {
    globalThis.gc?.()
    const { rss, heapUsed } = process.memoryUsage()
    process.send?.({ rssMb: Math.round(rss / 1e6), heapMb: Math.round(heapUsed / 1e5) / 10, connections: live.connections, cuts })
  }
  if (message === 'freeze') {
    isFrozen = true
    setTimeout(() => {
      const final = Object.fromEntries(
        watched.map(([series, timeframe]) => {
          const { topic } = data.views.open(series).topicState({ timeframe, adjustment: 'none' })
          return [`${series}:${timeframe}`, `${series}:${timeframe} ${JSON.stringify(topic?.newest(20).map(rowOf))}`]
        }),
      )
      process.send?.({ final })
    }, 1_500)
  }
})

/** Updates during a cut are lost; history still has them. */
function cutFeed(feed: Feed): Feed {
  return {
    ...feed,
    source: 'binance',
    watch(symbol, sink: FeedSink) {
      let isCut = false
      const stop = feed.watch(symbol === 'BTCUSDT' ? 'btc-usdt' : symbol, {
        minute: (candle, isClosed) => {
          if (!isCut && !isFrozen) sink.minute(candle, isClosed)
        },
        trade: () => undefined,
        state: (state) => {
          if (!isCut) sink.state(state)
        },
      })
      const timer = setInterval(() => {
        if (isFrozen) return
        cuts += 1
        isCut = true
        sink.state({ kind: 'down', reason: 'cut by the soak', retryInMs: cutForMs })
        setTimeout(() => {
          isCut = false
          sink.state({ kind: 'live' })
        }, cutForMs)
      }, cutEveryMs)
      return () => {
        clearInterval(timer)
        stop()
      }
    },
    history: (request) => feed.history({ ...request, symbol: request.symbol === 'BTCUSDT' ? 'btc-usdt' : request.symbol }),
  }
}
