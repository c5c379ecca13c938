// Unauthenticated sockets: the maximum per address, and their timeout.
import { once } from 'node:events'
import { createServer, get, IncomingMessage, type Server } from 'node:http'
import { Socket, type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import type { CurrentSession } from '#server/http/session.ts'
import { addressReader } from '#server/http/rate-limiter.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { openSocket, type Watcher } from '#server/testing/live.ts'
import { basePath } from '#shared/http/route.ts'
import { closeCodes, livePath, liveVersion } from '#shared/market-data/live/contract.ts'
import { makeUser } from '#shared/testing/user.ts'
import { manualClock, type ManualClock } from '../feeds/testing/manual-clock.ts'
import { memoryBus } from '../gateway/market-bus.ts'
import { LiveServer } from './live-server.ts'
import { SeriesViews } from './series-view.ts'

const connectionsMax = 100

let database: Database
let server: Server
let live: LiveServer
let clock: ManualClock
let url: string
/** Controlled by each test: the database of a session lookup. */
let findSession: () => Promise<CurrentSession | undefined>
let cookieOf: (header: string | undefined) => string | undefined
/** The same, of a cookie. */
let isKnown: (cookie: string) => Promise<boolean>
let errors: unknown[]
let rejections: string[]

beforeAll(async () => {
  database = await freshDatabase()
})

beforeEach(async () => {
  clock = manualClock(Date.parse('2026-11-20T06:00:00Z'))
  server = createServer()
  findSession = () => Promise.resolve(undefined)
  isKnown = (cookie) => Promise.resolve(cookie.startsWith('session of '))
  errors = []
  rejections = []
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
    views: new SeriesViews({ bus: memoryBus().bus, history, clock, onError }),
    clock,
    cookieOf: (header) => cookieOf(header),
    findSession: () => findSession(),
    isKnown: (cookie) => isKnown(cookie),
    readSession: () => findSession(),
    isHidden: () => false,
    attend: () => () => undefined,
    isOwnOrigin: () => true,
    addressOf: addressReader(['127.0.0.1']),
    connectionsMax,
    onRejected: (event, address) => void rejections.push(`${event} ${address}`),
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

const from = (address: string, cookie?: string) => ({ 'x-forwarded-for': address, ...(cookie === undefined ? {} : { cookie }) })
const member = 'session of someone'

it('without a cookie is told so without a hello', async () => {
  const watcher = await openSocket(url)
  expect((await watcher.closed).code).toBe(closeCodes.session)
})

it('with the cookie of no session is told so without a hello', async () => {
  const watcher = await openSocket(url, { cookie: 'made up' })
  expect((await watcher.closed).code).toBe(closeCodes.session)
})

it('the sixty-first of one address behind a trusted proxy is rejected, and those of others are not', async () => {
  for (let count = 0; count < 60; count += 1) await openSilently(from('198.51.100.7'))
  await expect(openSocket(url, from('198.51.100.7'))).rejects.toThrow('refused with 429')
  await expect(openSocket(url, from('192.0.2.1, 198.51.100.7'))).rejects.toThrow('refused with 429')
  const other = await openSocket(url, from('198.51.100.8', member))
  expect(other.socket.readyState).toBe(other.socket.OPEN)
  expect(rejections).toEqual(['rate limit 198.51.100.7', 'rate limit 198.51.100.7'])
})

it('sixty of an address leave the place of every member behind it, also while the database is slow', async () => {
  for (let count = 0; count < 60; count += 1) await openSilently(from('198.51.100.7'))
  isKnown = () => new Promise(() => undefined)
  for (let count = 0; count < 60; count += 1) await openSilently(from('198.51.100.7', `made up ${count}`))
  isKnown = (cookie) => Promise.resolve(cookie.startsWith(member))
  findSession = () => Promise.resolve(someone)
  for (let count = 0; count < 30; count += 1) {
    const watcher = await openSocket(url, from('198.51.100.7', `${member} ${count}`))
    watcher.send({ t: 'hello', v: liveVersion, token: 'token' })
    expect(await watcher.next('ready')).toMatchObject({ t: 'ready' })
  }
})

it('give way to a known session when all places of the process are taken', async () => {
  isKnown = () => new Promise(() => undefined)
  const strangers = []
  for (let count = 0; count < connectionsMax; count += 1)
    strangers.push(await openSocket(url, from(`198.51.100.${count}`, `made up ${count}`)))
  isKnown = () => Promise.resolve(true)
  await openSocket(url, from('198.51.100.250', member))
  expect(await strangers[0]?.closed).toMatchObject({ code: 1006 })
  expect(live.connections).toBeLessThanOrEqual(connectionsMax + 1)
})

it('one cookie holds twenty-four places without a hello', async () => {
  for (let count = 0; count < 24; count += 1) await openSocket(url, { cookie: member })
  await expect(openSocket(url, { cookie: member })).rejects.toThrow('refused with 429')
  await openSocket(url, { cookie: `${member} else` })
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
  for (let count = 0; count < 24; count += 1) silent.push(await openSocket(url, { cookie: member }))
  await expect(openSocket(url, { cookie: member })).rejects.toThrow('refused with 429')
  silent[0]?.socket.terminate()
  await expect.poll(() => live.connections).toBe(23)
  await openSocket(url, { cookie: member })
})

it('of a known session has ten seconds for its hello, and is then asked to reconnect', async () => {
  const watcher = await openSocket(url, { cookie: member })
  clock.advance(10_000)
  expect(live.connections).toBe(1)
  clock.advance(1_000)
  expect((await watcher.closed).code).toBe(closeCodes.noHello)
})

it('is not closed for the time in which this process was blocked', async () => {
  findSession = () => Promise.resolve(someone)
  const watcher = await openSocket(url, { cookie: member })
  clock.block(60_000)
  clock.advance(9_000)
  expect(live.connections).toBe(1)
  watcher.send({ t: 'hello', v: liveVersion, token: 'token' })
  await watcher.next('ready')
})

it('frees its slot after its time, even if it never answers the close frame', async () => {
  const stream = await openSilently({ cookie: member })
  expect(live.connections).toBe(1)
  const closed = once(stream, 'close')
  clock.advance(11_000)
  // Without a close frame in return, ws keeps a socket for 30 seconds.
  await expect.poll(() => live.connections, { timeout: 10_000 }).toBe(0)
  await closed
})

/** A client that sends and answers nothing. */
async function openSilently(headers: Readonly<Record<string, string>>): Promise<Duplex> {
  const request = get(url.replace('ws:', 'http:'), {
    headers: {
      ...headers,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    },
  })
  const [, stream] = (await once(request, 'upgrade')) as [unknown, Duplex]
  stream.on('error', () => undefined)
  stream.resume()
  return stream
}

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

it('after a hello waits ten seconds more for a slow database', async () => {
  const watcher = await openSocket(url, { cookie: member })
  clock.advance(9_000)
  const { resolve } = await sayHello(watcher)
  clock.advance(9_999)
  resolve(someone)
  await watcher.next('ready')
  clock.advance(20_000)
  expect(watcher.socket.readyState).toBe(watcher.socket.OPEN)
})

it('after a hello is closed after ten seconds without a database answer, and may reconnect', async () => {
  const watcher = await openSocket(url, { cookie: member })
  const { resolve } = await sayHello(watcher)
  clock.advance(10_000)
  expect(watcher.socket.readyState).toBe(watcher.socket.OPEN)
  clock.advance(1_000)
  expect((await watcher.closed).code).toBe(closeCodes.busy)
  resolve(someone)
  await expect.poll(() => live.connections).toBe(0)
  expect(watcher.frames).toEqual([])
})

it('after a hello is closed immediately when the database fails, and before it waits for one', async () => {
  isKnown = () => Promise.reject(new Error('no database for cookies'))
  const watcher = await openSocket(url, { cookie: member })
  const { reject } = await sayHello(watcher)
  reject(new Error('no database'))
  expect((await watcher.closed).code).toBe(closeCodes.busy)
  expect(errors).toEqual([new Error('no database for cookies'), new Error('no database')])
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
