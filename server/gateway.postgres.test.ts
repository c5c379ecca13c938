// Two web processes and one gateway over Redis: one sequence for all, and every part may crash and come back.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ServerMessage } from '#shared/market-data/live/contract.ts'
import { basePath } from '#shared/http/route.ts'
import { livePath, liveVersion } from '#shared/market-data/live/contract.ts'
import { emptyDatabaseUrl } from './testing/database.ts'
import { openSocket, type Watcher } from './testing/live.ts'
import { launchServer, startServer, type ServerProcess } from './testing/process.ts'
import { tcpGate, type TcpGate } from './testing/tcp-proxy.ts'

const redisUrl = process.env['TEST_REDIS_URL']
if (redisUrl === undefined) throw new Error('TEST_REDIS_URL is needed beside TEST_DATABASE_URL')

/** For a busy machine: expected events take seconds. */
const longWait = { timeout: 30_000 }

const email = 'admin@tezi.example'
const password = 'Kesar-Chai-Kesar-42'
let gate: TcpGate
let environment: Record<string, string>
let gateway: ReturnType<typeof launchServer>
let webs: ServerProcess[] = []
let watchers: Watcher[] = []

async function startGateway(): Promise<ReturnType<typeof launchServer>> {
  const started = launchServer(environment, 'server/gateway.ts')
  await vi.waitUntil(() => started.output().includes('gateway is ready'), longWait)
  return started
}

async function watchFrom(web: ServerProcess): Promise<Watcher> {
  const answer = await fetch(`${web.url}${basePath}/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const { sessionToken } = ((await answer.json()) as { data: { sessionToken: string } }).data
  const watcher = await openSocket(web.url.replace('http', 'ws') + basePath + livePath, { cookie })
  watcher.send({ t: 'hello', v: liveVersion, token: sessionToken })
  await watcher.next('ready')
  watcher.send({ t: 'sub', id: 1, slug: 'nifty', timeframe: '1', bars: 20 })
  return watcher
}

/** Every candle by its sequence number. */
function updatesOf(watcher: Watcher, epoch: string): Map<number, string> {
  const updates = new Map<number, string>()
  let current = ''
  for (const frame of watcher.frames as ServerMessage[]) {
    if (frame.t === 'snap') current = frame.epoch
    if (frame.t === 'upd' && current === epoch) updates.set(frame.q, JSON.stringify(frame.c))
  }
  return updates
}

const epochsOf = (watcher: Watcher): string[] =>
  watcher.frames.flatMap((frame) => (frame.t === 'snap' && frame.seq > 0 ? [frame.epoch] : []))

/** Both clients tick in a new epoch, on their existing sockets. */
async function expectHealed(before: string): Promise<void> {
  for (const watcher of watchers) {
    await expect.poll(() => epochsOf(watcher).at(-1), longWait).not.toBe(before)
    await expect.poll(() => updatesOf(watcher, epochsOf(watcher).at(-1) ?? '').size, longWait).toBeGreaterThan(2)
    expect(watcher.socket.readyState).toBe(watcher.socket.OPEN)
  }
}

const isStale = (watcher: Watcher): boolean => {
  const last = watcher.frames.findLast((frame) => frame.t === 'cond' || frame.t === 'snap')
  return last !== undefined && 'condition' in last && last.condition.isStale
}

beforeAll(async () => {
  const { hostname, port } = new URL(redisUrl)
  gate = await tcpGate(hostname, Number(port === '' ? 6379 : port))
  environment = {
    DATABASE_URL: await emptyDatabaseUrl('gateway'),
    REDIS_URL: `redis://127.0.0.1:${gate.port}`,
    MARKET_CHANNEL: `test-${randomUUID()}`,
    ADMIN_EMAIL: email,
    ADMIN_PASSWORD: password,
    RATE_LIMITS: 'off',
    METRICS_PORT: '0',
  }
  gateway = await startGateway()
  webs = [await startServer({ ...environment, MARKET_HUB: 'off' }), await startServer({ ...environment, MARKET_HUB: 'off' })]
  watchers = await Promise.all(webs.map(watchFrom))
})

afterAll(async () => {
  for (const watcher of watchers) watcher.socket.terminate()
  gateway.child.kill('SIGKILL')
  for (const web of webs) await web.stop('SIGKILL')
  await gate.close()
})

it('the gateway reports what it needs', async () => {
  const { output, ended } = launchServer({ DATABASE_URL: environment['DATABASE_URL'] ?? '' }, 'server/gateway.ts')
  expect(await ended).toBe(1)
  expect(output()).toContain('REDIS_URL and DATABASE_URL')
})

const monitoringUrl = (output: string) => /Metrics: (\S+)\/metrics/.exec(output)?.[1] ?? ''

it('the monitoring ports show the active hub and the age of the data', async () => {
  const ask = async (output: string, path: string) => (await fetch(monitoringUrl(output) + path)).text()
  const gatewayMetrics = () => ask(gateway.output(), '/metrics')
  await expect.poll(gatewayMetrics, longWait).toMatch(/tezi_market_data_age_seconds\{series="nifty",source="demo"\} \d/)
  expect(await gatewayMetrics()).toContain('tezi_market_hub{place="here"} 1')
  expect(await gatewayMetrics()).toContain('tezi_market_series_stale{series="nifty",source="demo"} 0')
  expect(await gatewayMetrics()).not.toContain('tezi_live_sockets')
  expect(JSON.parse(await ask(gateway.output(), '/readyz'))).toEqual({ status: 'ready', missing: [] })
  const [web] = webs as [ServerProcess]
  expect(await ask(web.output(), '/metrics')).toContain('tezi_market_hub{place="elsewhere"} 1')
  expect(await ask(web.output(), '/metrics')).not.toContain('tezi_market_data_age_seconds')
})

describe('a client of either web process', () => {
  it('sees the same sequence', async () => {
    const [one, other] = watchers as [Watcher, Watcher]
    await expect.poll(() => epochsOf(one).at(-1) === epochsOf(other).at(-1) && epochsOf(one).length > 0, longWait).toBe(true)
    const epoch = epochsOf(one).at(-1) ?? ''
    await expect.poll(() => Math.min(...watchers.map((watcher) => updatesOf(watcher, epoch).size)), longWait).toBeGreaterThan(6)
    const left = updatesOf(one, epoch)
    const right = updatesOf(other, epoch)
    const common = [...left.keys()].filter((seq) => right.has(seq))
    expect(common.length).toBeGreaterThan(4)
    for (const seq of common) expect(right.get(seq)).toBe(left.get(seq))
    for (const updates of [left, right]) {
      const numbers = [...updates.keys()]
      expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))
    }
  })

  it('is notified when the gateway dies, and continues with the next one', async () => {
    const before = epochsOf(watchers[0] as Watcher).at(-1) ?? ''
    gateway.child.kill('SIGKILL')
    for (const watcher of watchers) await expect.poll(() => isStale(watcher), longWait).toBe(true)
    gateway = await startGateway()
    await expectHealed(before)
    for (const watcher of watchers) expect(isStale(watcher)).toBe(false)
  })

  it('continues after a Redis outage', async () => {
    const [one] = watchers as [Watcher]
    gate.cut()
    for (const watcher of watchers) await expect.poll(() => isStale(watcher), longWait).toBe(true)
    const readyz = async (address: string) => {
      const answer = await fetch(`${address}/readyz`)
      return [answer.status, ((await answer.json()) as { missing: string[] }).missing]
    }
    expect(await readyz(webs[0]?.url ?? '')).toEqual([200, ['redis', 'market-hub']])
    await expect.poll(() => readyz(monitoringUrl(gateway.output())), longWait).toEqual([503, ['redis', 'market-hub']])
    const seen = one.frames.length
    gate.open()
    for (const watcher of watchers) await expect.poll(() => isStale(watcher), longWait).toBe(false)
    await expect.poll(() => one.frames.slice(seen).filter(({ t }) => t === 'upd').length, longWait).toBeGreaterThan(2)
    expect(one.socket.readyState).toBe(one.socket.OPEN)
  })
})

it('all of them stop on the signal', async () => {
  gateway.child.kill('SIGTERM')
  expect(await Promise.all([gateway.ended, ...webs.map((web) => web.stop())])).toEqual([0, 0, 0])
})
