// The server as a process with a scripted exchange: live prices if the exchange responds, the demo otherwise.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import { basePath } from '#shared/http/route.ts'
import { livePath, liveVersion, type ServerMessage } from '#shared/market-data/live/contract.ts'
import { binanceDialect } from './features/market-data/feeds/testing/fake-binance-server.ts'
import { letTimePass } from './features/market-data/feeds/testing/let-time-pass.ts'
import { manualClock } from './features/market-data/feeds/testing/manual-clock.ts'
import { scriptedExchange, type ScriptedExchange } from './features/market-data/feeds/testing/scripted-exchange.ts'
import { makeTrades } from './features/market-data/feeds/testing/expected-candles.ts'
import { openSocket, type Watcher } from './testing/live.ts'
import { startServer, type ServerProcess } from './testing/process.ts'

/** For a busy machine: expected events take seconds. */
const longWait = { timeout: 30_000 }

const admin = { email: 'admin@tezi.example', password: 'Kesar-Chai-Kesar-42' }

const startMs = Date.now()
const clock = manualClock(startMs)
let exchange: ScriptedExchange
let server: ServerProcess
let dataDir: string
let watcher: Watcher
let stopTime: () => Promise<void>

const last = <T extends ServerMessage['t']>(kind: T) =>
  watcher.frames.findLast((frame) => frame.t === kind) as Extract<ServerMessage, { t: T }>

beforeAll(async () => {
  const past = makeTrades({ fromMs: startMs - 6 * hourMs, toMs: startMs, price: 90_000, seed: 7, sessionClass: 'crypto' })
  // Four trades a second from now on: the wait for a tick must not depend on chance.
  const future = Array.from({ length: 2400 }, (_, index) => ({
    timeMs: startMs + 250 * (index + 1),
    price: 90_000 + (index % 7),
    size: 0.5,
    isTakerBuy: true,
  }))
  const trades = [...past.filter(({ timeMs }) => timeMs <= startMs), ...future]
  exchange = await scriptedExchange({ dialect: binanceDialect, clock, trades: { BTCUSDT: trades } })
  stopTime = letTimePass(exchange, clock)
  dataDir = await mkdtemp(path.join(tmpdir(), 'tezi-market-'))
  server = await startServer({
    DATA_DIR: dataDir,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    MARKET_SOURCES: 'binance,csv',
    CSV_DIR: path.join(dataDir, 'csv'),
    MARKET_LICENCES: 'bse=licensed:BSE-7',
    MARKET_URLS: JSON.stringify({ binance: { restUrl: exchange.restUrl, socketUrl: exchange.socketUrl } }),
  })
  const answer = await fetch(`${server.url}${basePath}/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const { data } = (await answer.json()) as { data: { sessionToken: string } }
  watcher = await openSocket(server.url.replace('http', 'ws') + basePath + livePath, { cookie })
  watcher.send({ t: 'hello', v: liveVersion, token: data.sessionToken })
  await watcher.next('ready')
})

afterAll(async () => {
  watcher.socket.terminate()
  await server.stop()
  await stopTime()
  await exchange.close()
  await rm(dataDir, { recursive: true, force: true })
})

it('shows the prices of the exchange, labelled LIVE, and ticks', async () => {
  watcher.send({ t: 'sub', id: 1, slug: 'btc-usdt', timeframe: '1', bars: 100 })
  await expect
    .poll(() => last('snap')?.condition.label, longWait)
    .toEqual({ mode: 'live', source: 'Binance', delayMinutes: 0, proxy: null })
  await expect.poll(() => last('snap').candles.length, longWait).toBe(100)
  const { candles } = last('snap')
  const over = candles.filter(([timeMs]) => timeMs < startMs - 2 * minuteMs)
  const truth = exchange.expected('BTCUSDT', over[0]?.[0] ?? 0, startMs - 2 * minuteMs)
  expect(over.length).toBeGreaterThan(90)
  expect(over).toEqual(truth.map((one) => [one.timeMs, one.open, one.high, one.low, one.close, one.volume, one.takerBuyVolume]))
  await expect.poll(() => watcher.frames.filter(({ t }) => t === 'upd').length, longWait).toBeGreaterThan(2)
})

it('lists the missing licences of a source in use, without references', () => {
  const line = server
    .output()
    .split('\n')
    .find((one) => one.includes('prices are not shown'))
  expect(line).toContain('"source":"csv"')
  expect(line).toContain('MARKET_LICENCES lacks nse=licensed:REFERENCE,cme=licensed:REFERENCE')
  expect(server.output()).not.toContain('BSE-7')
})

it('shows the demo if there is no source, with its own label', async () => {
  watcher.send({ t: 'sub', id: 2, slug: 'nifty', timeframe: '5', bars: 10 })
  await expect.poll(() => last('snap'), longWait).toMatchObject({ k: 'nifty:5', condition: { label: { mode: 'demo' } } })
  expect(last('snap').candles).toHaveLength(10)
})

it('becomes stale within seconds when the exchange is gone, never mixes in the demo, and recovers', async () => {
  exchange.faults.rejectDialWith = 503
  await exchange.cut()
  await expect.poll(() => last('cond')?.condition, longWait).toMatchObject({ isStale: true, label: { mode: 'live' } })
  exchange.faults.rejectDialWith = undefined
  await expect.poll(() => last('cond').condition, longWait).toMatchObject({ isStale: false, label: { mode: 'live' } })
})

it('stops on the signal, although a socket is open', async () => {
  expect(watcher.socket.readyState).toBe(watcher.socket.OPEN)
  expect(await server.stop()).toBe(0)
  await watcher.closed
})
