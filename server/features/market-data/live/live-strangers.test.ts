// Unauthenticated sockets: the maximum per address, and their timeout.
import { once } from 'node:events'
import { createServer, get, IncomingMessage, type Server } from 'node:http'
import { Socket, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import type { CurrentSession } from '#server/http/request-actor.ts'
import { addressReader } from '#server/http/rate-limit-key.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { openSocket, type Watcher } from '#server/testing/live.ts'
import { basePath } from '#shared/http/route.ts'
import { closeCodes, livePath, liveVersion } from '#shared/market-data/live.ts'
import { makeUser } from '#shared/testing/user.ts'
import { manualClock, type ManualClock } from '../feeds/testing/manual-clock.ts'
import { memoryBus } from '../gateway/bus-memory.ts'
import { LiveServer } from './live-server.ts'
import { seriesViews } from './series-views.ts'

let database: Database
let server: Server
let live: LiveServer
let clock: ManualClock
let url: string
/** Controlled by each test: the database of a session lookup. */
let findSession: () => Promise<CurrentSession | undefined>
let cookieOf: (header: string | undefined) => string | undefined
let errors: unknown[]

beforeAll(async () => {
  database = await freshDatabase()
})

beforeEach(async () => {
  clock = manualClock(Date.parse('2026-11-20T06:00:00Z'))
  server = createServer()
  findSession = () => Promise.resolve(undefined)
  errors = []
  cookieOf = (header) => header
  // The access watch may still query the database while it closes.
  const onError = (error: unknown): void => void errors.push(error)
  const history = {
    candles: () => Promise.resolve({ candles: [], hasOlder: false, startsAtMs: null, untilMs: 0, wholeSinceMs: 0 }),
    rows: () => Promise.resolve({ pieces: [], hasOlder: false, startsAtMs: null }),
    recheck: () => Promise.resolve(),
  }
  live = new LiveServer({
    server,
    db: database.db,
    views: seriesViews({ bus: memoryBus().bus, history, clock, onError }),
    clock,
    cookieOf: (header) => cookieOf(header),
    findSession: () => findSession(),
    readSession: () => findSession(),
    isHidden: () => false,
    attend: () => () => undefined,
    isOwnOrigin: () => true,
    addressOf: addressReader(['127.0.0.1']),
    connectionsMax: 1_000,
    onError,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}${livePath}`
})

afterEach(async () => {
  await live.close()
  clock.advance(1_000)
  server.close()
  await once(server, 'close')
})

afterAll(() => database.close())

const someone: CurrentSession = {
  id: 'session',
  confirmedAtMs: 0,
  user: makeUser('free'),
}

const from = (address: string) => ({ 'x-forwarded-for': address })

it('one client behind a trusted proxy is rejected at its sixty-first, and others are not', async () => {
  for (let count = 0; count < 60; count += 1) await openSocket(url, from('198.51.100.7'))
  await expect(openSocket(url, from('198.51.100.7'))).rejects.toThrow('refused with 429')
  await expect(openSocket(url, from('192.0.2.1, 198.51.100.7'))).rejects.toThrow('refused with 429')
  const other = await openSocket(url, from('198.51.100.8'))
  expect(other.socket.readyState).toBe(other.socket.OPEN)
})

it.each([[['127.0.0.1']], [[]]])(
  'one that disconnects before its upgrade is handled does not end the process, with proxies %j',
  (trusted) => {
    const socket = new Socket()
    const request = new IncomingMessage(socket)
    request.url = `${basePath}${livePath}`
    request.headers = { 'x-forwarded-for': '198.51.100.7' }
    expect(addressReader(trusted)(request)).toBe('unknown')
    socket.destroy()
    server.emit('upgrade', request, socket, Buffer.alloc(0))
    expect(live.connections).toBe(0)
  },
)

it('one whose headers are handled wrongly is cut, and the process lives', async () => {
  cookieOf = () => {
    throw new Error('broken')
  }
  await expect(openSocket(url)).rejects.toThrow('socket hang up')
  expect(errors).toEqual([new Error('broken')])
})

it('one that disconnects frees its slot', async () => {
  const silent = []
  for (let count = 0; count < 60; count += 1) silent.push(await openSocket(url))
  await expect(openSocket(url)).rejects.toThrow('refused with 429')
  silent[0]?.socket.terminate()
  await expect.poll(() => live.connections).toBe(59)
  await openSocket(url)
})

it('gets a request to reconnect after a second without a hello', async () => {
  const watcher = await openSocket(url)
  clock.advance(999)
  expect(live.connections).toBe(1)
  clock.advance(1)
  expect((await watcher.closed).code).toBe(closeCodes.noHello)
})

it('frees its slot after a second, even if it never answers the close frame', async () => {
  const request = get(url.replace('ws:', 'http:'), {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    },
  })
  const [, stream] = (await once(request, 'upgrade')) as [unknown, Duplex]
  stream.on('error', () => undefined)
  stream.resume()
  expect(live.connections).toBe(1)
  const closed = once(stream, 'close')
  clock.advance(1_000)
  // Without a close frame in return, ws keeps a socket for 30 seconds.
  await expect.poll(() => live.connections, { timeout: 25_000 }).toBe(0)
  await closed
})

/** Sends hello; resolves when its session is being looked up, with controls for the result. */
async function sayHello(watcher: Watcher) {
  const answer = Promise.withResolvers<CurrentSession | undefined>()
  const asked = Promise.withResolvers<undefined>()
  findSession = () => {
    asked.resolve(undefined)
    return answer.promise
  }
  watcher.send({ t: 'hello', v: liveVersion, token: 'token' })
  await asked.promise
  return answer
}

it('after a hello waits for a slow database, and counts as unauthenticated until then', async () => {
  const watcher = await openSocket(url, from('198.51.100.9'))
  const { resolve } = await sayHello(watcher)
  for (let count = 1; count < 60; count += 1) await openSocket(url, from('198.51.100.9'))
  await expect(openSocket(url, from('198.51.100.9'))).rejects.toThrow('refused with 429')
  clock.advance(9_999)
  resolve(someone)
  await watcher.next('ready')
  // The others sent nothing, and are closed.
  await expect.poll(() => live.connections).toBe(1)
  clock.advance(10_000)
  expect(watcher.socket.readyState).toBe(watcher.socket.OPEN)
})

it('after a hello is closed after ten seconds without a database answer, and may reconnect', async () => {
  const watcher = await openSocket(url)
  const { resolve } = await sayHello(watcher)
  clock.advance(9_999)
  expect(watcher.socket.readyState).toBe(watcher.socket.OPEN)
  clock.advance(1)
  expect((await watcher.closed).code).toBe(closeCodes.busy)
  resolve(someone)
  await expect.poll(() => live.connections).toBe(0)
  expect(watcher.frames).toEqual([])
})

it('after a hello is closed immediately when the database fails', async () => {
  const watcher = await openSocket(url)
  const { reject } = await sayHello(watcher)
  reject(new Error('no database'))
  expect((await watcher.closed).code).toBe(closeCodes.busy)
  expect(errors).toContainEqual(new Error('no database'))
})

it('of a user who has sent too much over many sockets is rejected for half a minute, before the session lookup', async () => {
  findSession = () => Promise.resolve(someone)
  const cookie = { cookie: 'session of someone' }
  const messagesPerSocket = 59
  const watchers = []
  for (let count = 0; count < 12; count += 1) {
    const watcher = await openSocket(url, cookie)
    watcher.send({ t: 'hello', v: liveVersion, token: 'token' })
    await watcher.next('ready')
    watchers.push(watcher)
  }
  for (const watcher of watchers) for (let id = 1; id < messagesPerSocket; id += 1) watcher.send({ t: 'unsub', id })
  expect((await Promise.race(watchers.map(({ closed }) => closed))).code).toBe(closeCodes.abuse)
  await expect(openSocket(url, cookie)).rejects.toThrow('refused with 429')
  await openSocket(url, { cookie: 'session of another' })
  clock.advance(30_000)
  await openSocket(url, cookie)
})
