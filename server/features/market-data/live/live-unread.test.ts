// A socket whose client does not read: what is held back, and what ends it.
import { EventEmitter } from 'node:events'
import { beforeEach, expect, it } from 'vitest'
import type { WebSocket } from 'ws'
import { minutesBetween } from '#server/testing/candles.ts'
import { minuteMs } from '#shared/base/durations.ts'
import { liveVersion, type ServerMessage } from '#shared/market-data/live/contract.ts'
import { makeUser } from '#shared/testing/user.ts'
import { manualClock, settle, type ManualClock } from '../feeds/testing/manual-clock.ts'
import { memoryBus } from '../gateway/market-bus.ts'
import { BroadcastChannels } from './broadcast-channel.ts'
import { deliveryQueue } from './delivery-queue.ts'
import { LiveConnection } from './live-connection.ts'
import { liveUsers } from './live-users.ts'
import { QuoteBoards } from './quote-board.ts'
import { SeriesViews } from './series-view.ts'

const unreadMax = 64 * 1024
const unreadCut = 1024 * 1024
/** Interval at which waiting sockets are tried again. */
const retryMs = 250
const startMs = Date.parse('2026-11-20T06:00:00Z')

/** The server's end of a connection; the test sets how much its client has not read. */
class ScriptedSocket extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  bufferedAmount = 0
  readonly frames: ServerMessage[] = []
  readonly pings: Buffer[] = []
  /** Everything else that was called. */
  readonly calls: string[] = []

  send(frame: Buffer): void {
    this.frames.push(JSON.parse(frame.toString()) as ServerMessage)
  }
  ping(data: Buffer): void {
    this.pings.push(data)
  }
  pong(data: Buffer): void {
    this.calls.push(`pong ${data.toString()}`)
  }
  close(code: number): void {
    this.calls.push(`close ${code}`)
  }
  terminate(): void {
    this.calls.push('terminate')
  }
}

let clock: ManualClock
let socket: ScriptedSocket
let connection: LiveConnection
let hub: ReturnType<typeof memoryBus>['hub']
let seq: number

beforeEach(async () => {
  clock = manualClock(startMs)
  socket = new ScriptedSocket()
  seq = 0
  const { bus, hub: publisher } = memoryBus()
  hub = publisher
  const history = {
    candles: () => Promise.resolve({ candles: [], hasOlder: false, startsAtMs: null, untilMs: 0, wholeSinceMs: 0 }),
    rows: () => Promise.resolve({ pieces: [], hasOlder: false, startsAtMs: null }),
    recheck: () => Promise.resolve(),
  }
  const onError = (error: unknown): never => {
    throw error
  }
  const deliveries = deliveryQueue(clock, onError)
  const users = liveUsers(clock)
  const session = { id: 'session', confirmedAtMs: 0, user: makeUser('free') }
  connection = new LiveConnection(socket as unknown as WebSocket, {
    channels: new BroadcastChannels(new SeriesViews({ bus, history, clock, onError }), clock),
    own: undefined,
    boards: new QuoteBoards(clock),
    clock,
    findSession: () => Promise.resolve(session),
    readSession: () => Promise.resolve(session),
    isHidden: () => false,
    attend: () => () => undefined,
    admit: (user, counted) => users.admit(user._id, 'cookie', counted),
    queue: (waiting) => deliveries.add(waiting),
    write: (frame, _sent, end = Buffer.of()) => socket.send(Buffer.concat([frame, end])),
    onFrame: () => undefined,
    wait: () => ({ helloReceived: () => undefined, end: () => undefined }),
    onError,
  })
  await receive({ t: 'hello', v: liveVersion, token: 'token' })
  if (taken()[0] !== 'ready') throw new Error('the session was not accepted')
})

const rest = () => settle([() => socket.frames.length, clock.activity])

async function receive(message: object): Promise<void> {
  socket.emit('message', Buffer.from(JSON.stringify(message)), false)
  await rest()
}

/** The hub publishes one more minute. */
async function publish(): Promise<void> {
  seq += 1
  const minutes = minutesBetween(startMs - 10 * minuteMs, startMs + (seq - 1) * minuteMs)
  const label = { mode: 'demo', source: 'Demo', delayMinutes: 0, proxy: null } as const
  const condition = { source: 'demo', label, sessionClass: 'crypto', isStale: false, reason: null } as const
  const state = { series: 'nifty', epoch: 'one', seq, minutes, condition }
  hub.publish(state, { ...state, minutes: minutes.slice(-1) })
  await rest()
}

async function subscribe(): Promise<void> {
  await receive({ t: 'sub', id: 1, slug: 'nifty', timeframe: '1', bars: 50 })
  await publish()
}

/** The client reads everything. */
async function read(): Promise<void> {
  socket.bufferedAmount = 0
  clock.advance(retryMs)
  await rest()
}

/** The frames since the last call. */
const taken = () => socket.frames.splice(0).map((frame) => (frame.t === 'upd' ? `upd ${frame.p} to ${frame.q}` : frame.t))

it('gets no snapshot while 64 kB are unread, and then one of the newest candles', async () => {
  socket.bufferedAmount = unreadMax
  await subscribe()
  await publish()
  await publish()
  clock.advance(10 * retryMs)
  await rest()
  const withCandles = () => socket.frames.filter((frame) => frame.t === 'upd' || (frame.t === 'snap' && frame.candles.length > 0))
  expect(withCandles()).toEqual([])
  await read()
  expect(withCandles()).toMatchObject([{ t: 'snap', seq: 3 }])
})

it('gets no updates while 64 kB are unread, and then one with all of them', async () => {
  await subscribe()
  expect(taken().at(-1)).toBe('snap')
  await publish()
  expect(taken()).toEqual(['upd 1 to 2'])
  socket.bufferedAmount = unreadMax
  await publish()
  await publish()
  clock.advance(10 * retryMs)
  await rest()
  expect(taken()).toEqual([])
  await read()
  expect(taken()).toEqual(['upd 2 to 4'])
})

it('is terminated above 1 MB of unread small frames, without a close frame behind them', () => {
  const frame = Buffer.from('{"t":"beat","nowMs":1}')
  socket.bufferedAmount = unreadCut
  connection.beat(frame, true)
  expect([taken(), socket.calls]).toEqual([['beat'], []])
  socket.bufferedAmount = unreadCut + 1
  connection.beat(frame, true)
  expect([taken(), socket.calls]).toEqual([[], ['terminate']])
})

it('gets a heartbeat half a second after its last frame, and at any time to set its clock', async () => {
  const frame = Buffer.from('{"t":"beat","nowMs":1}')
  const beats = (isForClock = false) => {
    connection.beat(frame, isForClock)
    return taken()
  }
  await subscribe()
  taken()
  expect(beats()).toEqual([])
  clock.advance(499)
  expect(beats()).toEqual([])
  expect(beats(true)).toEqual(['beat'])
  clock.advance(499)
  expect(beats()).toEqual([])
  clock.advance(1)
  expect(beats()).toEqual(['beat'])
})

it('is terminated at the next ping unless it has answered the last one with its own bytes', () => {
  connection.ping()
  socket.emit('pong', socket.pings[0])
  connection.ping()
  expect([socket.pings.length, socket.calls]).toEqual([2, []])
  socket.emit('pong', socket.pings[0])
  socket.emit('pong', Buffer.alloc(0))
  connection.ping()
  expect([socket.pings.length, socket.calls]).toEqual([2, ['terminate']])
})

it('gets answers to its own pings only while it reads', () => {
  socket.bufferedAmount = unreadMax
  socket.emit('ping', Buffer.from('one'))
  socket.bufferedAmount = unreadMax - 1
  socket.emit('ping', Buffer.from('two'))
  expect(socket.calls).toEqual(['pong two'])
})
