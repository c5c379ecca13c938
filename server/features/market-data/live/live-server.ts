// The WebSocket server of live candles: access, limits, and shutdown.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocketServer, type WebSocket } from 'ws'
import type { CurrentSession } from '#server/http/session.ts'
import type { SecurityEvent } from '#server/http/handle-error.ts'
import { basePath } from '#shared/http/route.ts'
import { beatMs, livePath } from '#shared/market-data/live/contract.ts'
import type { Db } from '#server/db/database.ts'
import type { FeedClock } from '../feed.ts'
import { repeat } from '../real-clock.ts'
import { watchAccess } from './watch-access.ts'
import { BroadcastChannels, frameOf } from './broadcast-channel.ts'
import { deliveryQueue, type DeliveryQueue } from './delivery-queue.ts'
import { inRounds, inSlices, roundPauseMs } from './in-slices.ts'
import { LiveConnection, type Attend, type OwnChannels } from './live-connection.ts'
import { liveUsers, type LiveUsers } from './live-users.ts'
import { QuoteBoards } from './quote-board.ts'
import type { SeriesViews } from './series-view.ts'
import { WaitingSockets, type SocketClient } from './waiting-sockets.ts'
import { writeFrame } from './write-frame.ts'

/** Client messages are small. */
const messageBytesMax = 4 * 1024
const pingMs = 20_000
const premiumRoundMs = 500
/** Interval at which each session is rechecked, in case the watch missed a change; spread over the sockets, one part a second. */
const recheckSeconds = 15
/** One heartbeat in this many goes to all clients, which take the server's time from it. */
const clockBeats = 5
/** Timeout of close frames at shutdown. */
const closeTimeoutMs = 1_000

export interface LiveOptions {
  readonly server: Server
  readonly db: Db
  readonly views: SeriesViews
  /** Prices of users' own brokers; undefined if disabled. */
  readonly own?: OwnChannels
  readonly clock: FeedClock
  /** The session's cookie in a Cookie header. */
  readonly cookieOf: (header: string | undefined) => string | undefined
  /** The session of a cookie and a token, without cache; does not count as activity. */
  readonly findSession: (cookie: string | undefined, token: string) => Promise<CurrentSession | undefined>
  /** Whether a living session has this cookie. */
  readonly isKnown: (cookie: string) => Promise<boolean>
  /** Reads the same session again; undefined once it has ended. */
  readonly readSession: (id: string) => Promise<CurrentSession | undefined>
  readonly isHidden: (slug: string) => boolean
  readonly attend: Attend
  /** Whether a page of this origin may open a socket on this host. */
  readonly isOwnOrigin: (origin: string | undefined, host: string | undefined) => boolean
  /** Rate limit key of unauthenticated sockets. */
  readonly addressOf: (request: IncomingMessage) => string
  readonly connectionsMax: number
  /** A handshake was rejected for its origin, or because of too many. */
  readonly onRejected: (event: SecurityEvent, address: string) => void
  readonly onError: (error: unknown) => void
}

export class LiveServer {
  readonly #options: LiveOptions
  readonly #channels: BroadcastChannels
  readonly #boards: QuoteBoards
  readonly #users: LiveUsers
  readonly #deliveries: DeliveryQueue
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: messageBytesMax,
    perMessageDeflate: false,
    clientTracking: false,
    // A client that pings without reading would fill the memory with pongs.
    autoPong: false,
  })
  readonly #connections = new Map<WebSocket, LiveConnection>()
  readonly #waiting: WaitingSockets
  #isClosing = false
  #framesSent = 0
  #part = 0
  #accepted = 0
  #beats = 0
  readonly #stops: readonly (() => void)[]

  constructor(options: LiveOptions) {
    this.#options = options
    this.#channels = new BroadcastChannels(options.views, options.clock)
    this.#boards = new QuoteBoards(options.clock)
    this.#users = liveUsers(options.clock)
    this.#waiting = new WaitingSockets(options)
    this.#deliveries = deliveryQueue(options.clock, options.onError)
    this.#stops = [
      watchAccess({
        db: options.db,
        clock: options.clock,
        onError: options.onError,
        isNeeded: () => this.#connections.size > 0,
        onBegin: () => this.#recheck(() => true),
        onChange: (userIds) => this.#recheck(({ userId }) => userId !== undefined && userIds.has(userId)),
      }),
      repeat(options.clock, pingMs, () => this.#ping()),
      repeat(options.clock, beatMs, () => this.#beat()),
      repeat(options.clock, premiumRoundMs, () =>
        this.#recheck(({ premiumEndMs }) => premiumEndMs !== undefined && premiumEndMs <= options.clock.now()),
      ),
      repeat(options.clock, 1_000, () => this.#recheckPart()),
      repeat(options.clock, 1_000, () => this.#waiting.round()),
    ]
    options.server.on('upgrade', this.#upgrade)
  }

  get connections(): number {
    return this.#connections.size
  }

  /** Since the start. */
  get framesSent(): number {
    return this.#framesSent
  }

  get deliveries(): DeliveryQueue['waiting'] {
    return this.#deliveries.waiting
  }

  /** Sends the pages away in rounds and serves the others meanwhile. */
  async close(): Promise<void> {
    this.#isClosing = true
    await inRounds(
      [...this.#connections],
      ([socket, connection]) => closeSocket(socket, connection),
      () => delay(roundPauseMs),
    )
    for (const stop of this.#stops) stop()
    this.#deliveries.close()
    this.#options.server.off('upgrade', this.#upgrade)
    this.#channels.close()
  }

  /** Without the request: retaining it would retain its whole parser. */
  #accept(socket: WebSocket, stream: Duplex, client: SocketClient): void {
    const { cookie } = client
    const findSession = (token: string) => this.#options.findSession(cookie, token)
    const connection = new LiveConnection(socket, {
      channels: this.#channels,
      own: this.#options.own,
      boards: this.#boards,
      clock: this.#options.clock,
      findSession,
      readSession: this.#options.readSession,
      isHidden: this.#options.isHidden,
      attend: this.#options.attend,
      admit: (user, counted) => this.#users.admit(user._id, cookie ?? '', counted),
      queue: (waiting) => this.#deliveries.add(waiting),
      write: (frame, sent, rest) => writeFrame(stream, frame, sent, rest),
      onFrame: () => {
        this.#framesSent += 1
      },
      wait: (waiting) => this.#waiting.add(waiting, client),
      onError: this.#options.onError,
    })
    this.#accepted += 1
    connection.part = this.#accepted % recheckSeconds
    this.#connections.set(socket, connection)
    socket.on('close', () => this.#connections.delete(socket))
  }

  /** A field, because a listener is removed by its identity. */
  readonly #upgrade = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    stream.on('error', () => stream.destroy())
    if (stream.destroyed) return
    try {
      this.#handleUpgrade(request, stream, head)
    } catch (error) {
      this.#options.onError(error)
      stream.destroy()
    }
  }

  #handleUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    // Only the path counts: a token in a URL would end up in logs, so none is read.
    const isHere = request.url?.split('?')[0] === basePath + livePath
    if (!isHere) return reject(stream, '404 Not Found')
    const address = this.#options.addressOf(request)
    const rejectWith = (event: SecurityEvent, status: string) => {
      this.#options.onRejected(event, address)
      reject(stream, status)
    }
    if (!this.#options.isOwnOrigin(request.headers.origin, request.headers.host)) return rejectWith('foreign origin', '403 Forbidden')
    const client = { cookie: this.#options.cookieOf(request.headers.cookie), address }
    const isTooMany = !this.#waiting.mayOpen(client) || !this.#users.mayOpen(client.cookie ?? '')
    if (isTooMany) return rejectWith('rate limit', '429 Too Many Requests')
    const isFull = this.#connections.size >= this.#options.connectionsMax && !this.#waiting.evictStranger()
    if (this.#isClosing || isFull) return reject(stream, '503 Service Unavailable')
    this.#sockets.handleUpgrade(request, stream, head, (socket) => this.#accept(socket, stream, client))
  }

  #ping(): void {
    inSlices([...this.#connections.values()], (connection) => connection.ping())
    this.#users.sweep()
  }

  #beat(): void {
    const frame = frameOf({ t: 'beat', nowMs: this.#options.clock.now() })
    this.#beats += 1
    const isForClock = this.#beats % clockBeats === 0
    inSlices([...this.#connections.values()], (connection) => {
      if (connection.userId !== undefined) connection.beat(frame, isForClock)
    })
  }

  #recheckPart(): void {
    this.#part = (this.#part + 1) % recheckSeconds
    this.#recheck(({ part }) => part === this.#part)
  }

  #recheck(isDue: (connection: LiveConnection) => boolean): void {
    for (const connection of this.#connections.values()) if (isDue(connection)) connection.recheck().catch(this.#options.onError)
  }
}

/** Closes with 1001 and resolves when the client has answered, at the latest after `closeTimeoutMs`. */
function closeSocket(socket: WebSocket, connection: LiveConnection): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), closeTimeoutMs)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    connection.close()
  })
}

function reject(stream: Duplex, status: string): void {
  stream.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}
