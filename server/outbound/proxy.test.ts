// Outgoing connections through a proxy that only knows CONNECT: feeds over HTTP and WebSocket, and hosts that users give.
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { z } from 'zod'
import { testCertificate, testKey } from '#server/doctor/testing/certificate.ts'
import { realClock } from '#server/features/market-data/real-clock.ts'
import { JsonHttpClient } from '#server/features/market-data/feeds/json-http-client.ts'
import { openConnection, type Dial } from '#server/features/market-data/feeds/websocket/websocket-connection.ts'
import { connectProxy, type ConnectProxy } from '#server/testing/connect-proxy.ts'
import { BlockedAddressError, outboundGuard, type ResolveHost } from './outbound-guard.ts'
import { proxyUrlFor, goThroughProxy } from './proxy.ts'

const trusted = getCACertificates('default')
const clock = realClock()
const log = () => undefined
let server: Server
let sockets: WebSocketServer
let proxy: ConnectProxy
let restore: () => void

beforeAll(async () => {
  setDefaultCACertificates([...trusted, testCertificate])
  // Its name is only known behind the proxy.
  server = createServer({ key: testKey, cert: testCertificate }, (request, response) =>
    response.end(JSON.stringify({ host: request.headers.host })),
  )
  sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, request) => socket.send(String(request.headers.host)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  setDefaultCACertificates(trusted)
  server.closeAllConnections()
  server.close()
})
beforeEach(async () => {
  proxy = await connectProxy((server.address() as AddressInfo).port)
  restore = () => {}
})
afterEach(() => {
  restore()
  for (const socket of sockets.clients) socket.terminate()
  proxy.close()
})

const ask = (fetchLike?: typeof fetch) =>
  new JsonHttpClient({ name: 'Testex', clock, log, timeoutMs: 30_000, ...(fetchLike && { fetch: fetchLike }) }).get({
    url: new URL('https://tezi.test/x'),
    schema: z.object({ host: z.string() }),
    isOnce: true,
  })

/** The first frame, or why there is none. */
function firstFrame(dial?: Dial): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const options = { url: 'wss://tezi.test/ws', limits: { messagesPerSecond: 5, silenceMs: 30_000 }, dial, clock, log }
  const connection = openConnection(options, {
    opened: () => {},
    frame: (frame) => resolve(String(frame)),
    ended: resolve,
    flooded: () => {},
  })
  return promise.finally(() => connection.close())
}

describe('a feed', () => {
  test('reaches its provider through the proxy, over HTTP and WebSocket', async () => {
    restore = goThroughProxy({ url: proxy.url.replace('//', '//site:p%40ss@'), direct: 'localhost' })
    expect(await ask()).toEqual({ host: 'tezi.test' })
    expect(await firstFrame()).toBe('tezi.test')
    const credentials = `Basic ${Buffer.from('site:p@ss').toString('base64')}`
    expect(proxy.asked).toEqual([`tezi.test:443 ${credentials}`, `tezi.test:443 ${credentials}`])
  })

  test('of NO_PROXY does not ask the proxy, and no feed does without one', async () => {
    restore = goThroughProxy({ url: proxy.url, direct: 'other.test, tezi.test' })
    await expect(ask()).rejects.toMatchObject({ kind: 'unreachable' })
    expect(await firstFrame()).toMatch(/ENOTFOUND|EAI_AGAIN/)
    restore()
    restore = goThroughProxy(undefined)
    await expect(ask()).rejects.toMatchObject({ kind: 'unreachable' })
    expect(await firstFrame()).toMatch(/ENOTFOUND|EAI_AGAIN/)
    expect(proxy.asked).toEqual([])
  })
})

describe('a host that a user gives', () => {
  const guardOf = (resolve: ResolveHost, direct = '') =>
    outboundGuard({ allowedHosts: new Set(), resolve, proxy: { url: proxy.url, direct } })
  const dialOf = (guard: ReturnType<typeof guardOf>): Dial => {
    const url = new URL('wss://tezi.test/ws')
    return { lookup: guard.lookupFor(url), agent: guard.agentFor(url) }
  }
  /** The given answers, one for each question. */
  const answers =
    (...addresses: string[]): ResolveHost =>
    (_host, callback) =>
      callback(null, [{ address: addresses.shift() ?? '', family: 4 }])

  test('is resolved here, and the proxy is asked for the checked address', async () => {
    const guard = guardOf(answers('8.8.8.8', '8.8.4.4'))
    expect(await ask(guard.fetch)).toEqual({ host: 'tezi.test' })
    expect(await firstFrame(dialOf(guard))).toBe('tezi.test')
    expect(proxy.asked).toEqual(['8.8.8.8:443', '8.8.4.4:443'])
  })

  test('whose name turns private is not asked for', async () => {
    const guard = guardOf(answers('8.8.8.8', '10.0.0.1', '169.254.169.254'))
    expect(await ask(guard.fetch)).toEqual({ host: 'tezi.test' })
    await expect(guard.fetch('https://tezi.test/x')).rejects.toThrow(BlockedAddressError)
    expect(await firstFrame(dialOf(guard))).toBe('failed: address')
    expect(proxy.asked).toEqual(['8.8.8.8:443'])
  })

  test('that does not resolve is an error, and one of NO_PROXY is checked and called directly', async () => {
    const unknown = guardOf((_host, callback) => callback(new Error('not known')))
    await expect(unknown.fetch('https://tezi.test/x')).rejects.toThrow('not known')
    expect(await firstFrame(dialOf(unknown))).toBe('failed: not known')
    const direct = guardOf(answers('10.0.0.1', '127.0.0.1'), '.test')
    await expect(direct.fetch('https://tezi.test/x')).rejects.toThrow('address')
    expect(await firstFrame(dialOf(direct))).toBe('failed: address')
    expect(proxy.asked).toEqual([])
  })

  test('and that the operator allows is reached directly', () => {
    const guard = outboundGuard({ allowedHosts: new Set(['algo.lan']), proxy: { url: proxy.url, direct: '' } })
    expect(guard.agentFor(new URL('https://algo.lan/'))).toBeUndefined()
    expect(guard.agentFor(new URL('https://algo.example/'))).toBeDefined()
  })
})

test.each([
  ['', 'feed.example', true],
  ['*', 'feed.example', false],
  ['feed.example', 'feed.example', false],
  ['FEED.example', 'feed.Example', false],
  ['feed.example', 'a.feed.example', true],
  ['.feed.example', 'a.feed.example', false],
  ['*.feed.example', 'a.feed.example', false],
  ['other,feed.example:443', 'feed.example', false],
  ['feed.example:444', 'feed.example', true],
  ['10.0.0.9', '10.0.0.9', false],
])('NO_PROXY %j and %s: through the proxy %s', (direct, host, isProxied) => {
  expect(proxyUrlFor({ url: 'http://proxy', direct }, host, 443) !== undefined).toBe(isProxied)
})
