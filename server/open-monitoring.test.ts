// The monitoring port: rejected settings, addresses, and responses about a process.
import { networkInterfaces } from 'node:os'
import { afterEach, expect, test } from 'vitest'
import { readinessOf, type Readiness, type ReadinessReport } from './http/readiness.ts'
import { openMonitoring, type Monitoring } from './open-monitoring.ts'

let opened = new AsyncDisposableStack()
const errors: unknown[] = []
afterEach(async () => {
  await opened.disposeAsync()
  opened = new AsyncDisposableStack()
  errors.length = 0
})

async function open(host = '127.0.0.1'): Promise<Monitoring> {
  const monitoring = await openMonitoring({ config: { metrics: { host, port: 0 } }, onError: (error) => errors.push(error), opened })
  if (monitoring === undefined) throw new Error('there is no monitoring port')
  return monitoring
}

test('without METRICS_PORT there is none', async () => {
  expect(await openMonitoring({ config: { metrics: undefined }, onError: (error) => errors.push(error), opened })).toBeUndefined()
})

test.each([
  ['POST', '/metrics', 405],
  ['PUT', '/readyz', 405],
  ['DELETE', '/healthz', 405],
  ['GET', '/', 404],
  ['GET', '/metrics/', 404],
  ['GET', '/api/v1/user', 404],
  ['POST', '/api/v1/auth/sign-in', 404],
])('%s %s is rejected', async (method, path, status) => {
  const { url } = await open()
  const answer = await fetch(new URL(path, url), { method })
  expect(answer.status).toBe(status)
  expect(answer.headers.get('allow')).toBe(status === 405 ? 'GET' : null)
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
})

test('on loopback no other address of the machine reaches it', async () => {
  const { url } = await open()
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
  const others = ['127.0.0.2', ...Object.values(networkInterfaces()).flatMap((list) => list ?? [])].flatMap((entry) =>
    typeof entry === 'string' ? [entry] : entry.family === 'IPv4' && !entry.internal ? [entry.address] : [],
  )
  for (const address of others) await expect(fetch(url.replace('127.0.0.1', address))).rejects.toThrow('fetch failed')
})

test('a port that is taken fails the start', async () => {
  const { url } = await open()
  const metrics = { host: '127.0.0.1', port: Number(new URL(url).port) }
  await expect(openMonitoring({ config: { metrics }, onError: (error) => errors.push(error), opened })).rejects.toThrow('EADDRINUSE')
})

test('metrics that cannot be serialized are an error without details', async () => {
  const { url, metrics } = await open()
  metrics.read({ tezi_live_sockets: () => 1n as unknown as number })
  expect((await fetch(url)).status).toBe(500)
  expect(errors).toHaveLength(1)
})

test('a starting process is alive but not ready; then its checks decide, by name', async () => {
  const monitoring = await open()
  const { url } = monitoring
  const ask = async (path: string) => {
    const answer = await fetch(new URL(path, url))
    return [answer.status, await answer.json()] as const
  }
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }])
  expect(await ask('/readyz')).toEqual([503, { status: 'starting', missing: [] } satisfies ReadinessReport])
  let isDatabaseUp = false
  const failure = new Error('connection to 10.0.0.5 as tezi refused')
  const readiness: Readiness = readinessOf({
    checks: {
      database: () => (isDatabaseUp ? true : Promise.reject(failure)),
      writes: () => true,
      redis: () => true,
      'market-hub': () => false,
      prices: () => false,
    },
    required: new Set(['database']),
    onError: (error) => errors.push(error),
  })
  monitoring.setReadiness(readiness)
  expect(await ask('/readyz')).toEqual([503, { status: 'not-ready', missing: ['database', 'market-hub', 'prices'] }])
  expect(errors).toEqual([failure])
  isDatabaseUp = true
  expect(await ask('/readyz')).toEqual([200, { status: 'ready', missing: ['market-hub', 'prices'] }])
  const text = await (await fetch(url)).text()
  expect(text).toContain('tezi_missing{name="database"} 0')
  expect(text).toContain('tezi_missing{name="market-hub"} 1')
  expect(text).toContain('tezi_missing{name="prices"} 1')
})
