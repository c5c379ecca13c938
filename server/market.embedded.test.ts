// The server as a process against a scripted exchange: live prices where the exchange answers, the demo where none does.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import { basePath } from '#shared/http/route.ts'
import { livePath, liveVersion, type ServerMessage } from '#shared/market/live.ts'
import { binanceDialect } from './features/market/feeds/testing/binance-dialect.ts'
import { letTimePass } from './features/market/feeds/testing/let-time-pass.ts'
import { manualClock } from './features/market/feeds/testing/manual-clock.ts'
import { scriptedExchange, type ScriptedExchange } from './features/market/feeds/testing/scripted-exchange.ts'
import { makeTrades } from './features/market/feeds/testing/scripted-truth.ts'
import { openSocket, type Watcher } from './testing/live.ts'
import { startServer, type ServerProcess } from './testing/process.ts'

/** For a busy machine: what is waited for comes within seconds. */
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
  // From now on four a second: the wait for a tick must not depend on chance.
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

it('shows what the exchange has, says LIVE, and ticks', async () => {
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

it('names the licences that a source in use lacks, and no reference', () => {
  const line = server
    .output()
    .split('\n')
    .find((one) => one.includes('prices are not shown'))
  expect(line).toContain('"source":"csv"')
  expect(line).toContain('MARKET_LICENCES lacks nse=licensed:REFERENCE,cme=licensed:REFERENCE')
  expect(server.output()).not.toContain('BSE-7')
})

it('shows the demo where no source is, with its own name', async () => {
  watcher.send({ t: 'sub', id: 2, slug: 'nifty', timeframe: '5', bars: 10 })
  await expect.poll(() => last('snap')?.k, longWait).toBe('nifty:5')
  expect(last('snap').condition.label?.mode).toBe('demo')
  expect(last('snap').candles).toHaveLength(10)
})

it('says stale within seconds when the exchange is gone, never mixes the demo in, and heals', async () => {
  exchange.faults.refuseDialWith = 503
  await exchange.cut()
  await expect.poll(() => last('cond')?.condition, longWait).toMatchObject({ isStale: true, label: { mode: 'live' } })
  exchange.faults.refuseDialWith = undefined
  await expect.poll(() => last('cond').condition, longWait).toMatchObject({ isStale: false, label: { mode: 'live' } })
})

it('stops when it is told, although a socket is open', async () => {
  expect(watcher.socket.readyState).toBe(watcher.socket.OPEN)
  expect(await server.stop()).toBe(0)
  await watcher.closed
})
