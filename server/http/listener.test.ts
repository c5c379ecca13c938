// Shutdown of the HTTP server: readiness and Connection: close while draining, and running requests are answered.
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { testApp, type TestApp } from '#server/testing/app.ts'
import { listen, type Drain, type Listener } from './listener.ts'

test('a draining app fails readiness, stays alive, and tells clients to reconnect', async () => {
  const drain: { isDraining: boolean; queueRequest: undefined } = { isDraining: false, queueRequest: undefined }
  const server: TestApp = await testApp({ drain: drain satisfies Drain })
  const get = (path: string) => server.browser().send({ method: 'GET', path })
  expect(await get('/readyz')).toMatchObject({ statusCode: 200, headers: expect.not.objectContaining({ connection: 'close' }) })
  drain.isDraining = true
  const stopping = await get('/readyz')
  expect(stopping).toMatchObject({ statusCode: 503, headers: { connection: 'close', 'retry-after': '1' } })
  expect(stopping.json()).toMatchObject({ success: false, code: 'http.stopping' })
  expect(await get('/healthz')).toMatchObject({ statusCode: 200, headers: { connection: 'close' } })
  expect(await get('/api/v1/nothing')).toMatchObject({ statusCode: 404, headers: { connection: 'close' } })
  await server.close()
})

describe('a starting listener', () => {
  let listener: Listener
  const answer = (path: string, method = 'GET', body = '') =>
    fetch(`http://127.0.0.1:${listener.port}${path}`, { method, ...(body === '' ? {} : { body }) })
  beforeEach(async () => {
    listener = await listen({ host: '127.0.0.1', port: 0 })
  })
  afterEach(async () => {
    vi.useRealTimers()
    await listener.close(0)
  })

  test('answers health checks at once', async () => {
    const [ready, healthy] = [await answer('/readyz'), await answer('/healthz')]
    expect([ready.status, ready.headers.get('retry-after'), await ready.json()]).toEqual([
      503,
      '1',
      expect.objectContaining({ success: false, code: 'http.starting' }),
    ])
    expect([healthy.status, await healthy.json()]).toEqual([200, { status: 'ok' }])
  })

  test('survives the reset of an upgraded connection that nobody handles', async () => {
    listener.ready()
    const client = connect(listener.port, '127.0.0.1')
    client.write('GET /api/v1/market/live HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
    const [, socket] = (await once(listener.server, 'upgrade')) as [unknown, Duplex]
    socket.resume()
    const closed = once(socket, 'close').catch((error: unknown) => error)
    client.resetAndDestroy()
    await closed
    expect(socket.destroyed).toBe(true)
  })

  test('keeps visitors waiting until it is ready, and then answers what they have sent', async () => {
    const answers = Promise.all([answer('/btc-usd'), answer('/api/v1/payments', 'POST', 'a payment')])
    await once(listener.server, 'request')
    await once(listener.server, 'request')
    listener.server.on('request', (received, response) => void received.pipe(response))
    listener.ready()
    expect(await Promise.all((await answers).map((response) => response.text()))).toEqual(['', 'a payment'])
  })

  test('answers 503 after eight seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const [slow] = [answer('/btc-usd'), await once(listener.server, 'request')]
    vi.advanceTimersByTime(7_999)
    expect(vi.getTimerCount()).toBeGreaterThan(0)
    vi.advanceTimersByTime(1)
    vi.useRealTimers()
    expect([(await slow).status, await (await slow).json()]).toEqual([503, expect.objectContaining({ code: 'http.starting' })])
  })

  test('answers 503 when the start has failed', async () => {
    const [waiting] = [answer('/btc-usd'), await once(listener.server, 'request')]
    const closed = listener.close(0)
    expect((await waiting).status).toBe(503)
    await closed
  })
})

describe('a closing listener', () => {
  let listener: Listener
  const agent = new Agent({ keepAlive: true })
  beforeEach(async () => {
    listener = await listen({ host: '127.0.0.1', port: 0 })
  })
  afterEach(async () => {
    agent.destroy()
    await listener.close(0)
  })

  async function get(): Promise<IncomingMessage> {
    const sent = request({ port: listener.port, host: '127.0.0.1', agent }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    return response
  }

  test('does not drain before it was ready', async () => {
    await listener.drain(60_000)
    expect(listener.isDraining).toBe(false)
  })

  test('drains once, for the configured time', async () => {
    listener.ready()
    const startMs = performance.now()
    const drained = listener.drain(50)
    expect(listener.isDraining).toBe(true)
    await listener.drain(60_000)
    await drained
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(49)
  })

  test('answers received requests, holds those that arrive while the port closes, and rejects later ones', async () => {
    listener.ready()
    const queued: boolean[] = []
    listener.server.on('request', (_request, response) => {
      queued.push(listener.queueRequest !== undefined)
      const answer = () => void response.end('ok')
      if (listener.queueRequest === undefined) answer()
      else listener.queueRequest(answer)
    })
    await get()
    const closed = listener.close(5_000)
    const late = await get()
    expect(late.statusCode).toBe(200)
    await closed
    expect(queued).toEqual([false, true])
    const refused = connect(listener.port, '127.0.0.1')
    expect(await once(refused, 'error')).toEqual([expect.objectContaining({ code: 'ECONNREFUSED' })])
  })

  test('terminates a request that exceeds the grace period', async () => {
    listener.ready()
    const endless = get().catch((error: unknown) => error)
    await once(listener.server, 'request')
    await listener.close(50)
    expect(await endless).toMatchObject({ code: 'ECONNRESET' })
  })
})
