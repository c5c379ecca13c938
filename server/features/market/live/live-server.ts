// The socket of live candles on the HTTP server: who may open one, how many, and how they end.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { CurrentSession } from '#server/features/auth/service.ts'
import { basePath } from '#shared/http/route.ts'
import { beatMs, livePath } from '#shared/market/live.ts'
import type { Db } from '#server/db/database.ts'
import type { FeedClock } from '../feed.ts'
import type { OwnMarkets } from '../own/own-markets.ts'
import { watchAccess } from './access-watch.ts'
import { deliveryQueue, type DeliveryQueue } from './delivery-queue.ts'
import { inSlices } from './in-slices.ts'
import { liveConnection } from './live-connection.ts'
import type { LiveConnection, ViewerRooms } from './live-connection-port.ts'
import { frameOf } from './live-room.ts'
import { liveRooms, type LiveRooms } from './live-rooms.ts'
import { liveUsers } from './live-users.ts'
import type { SeriesViews } from './series-views.ts'

/** A client has small things to say. */
const messageBytesMax = 4 * 1024
/** Sockets of one address that have not said who they are; behind one address may be a whole company. */
const strangersPerAddressMax = 60
const pingMs = 20_000
const premiumRoundMs = 500
/** Everybody is checked again this often, whatever the watch may have missed. */
const recheckMs = 15_000
/** Who does not answer the close frame by then is cut. */
const goodbyeMs = 1_000

export interface LiveNeeds {
  readonly server: Server
  readonly db: Db
  readonly views: SeriesViews
  /** Prices of users' own brokers; undefined where there are none. */
  readonly own?: OwnMarkets
  readonly clock: FeedClock
  /** The session's cookie in a Cookie header. */
  readonly cookieOf: (header: string | undefined) => string | undefined
  /** The session of a cookie and a token, read anew each time; does not count as use. */
  readonly findSession: (cookie: string | undefined, token: string) => Promise<CurrentSession | undefined>
  readonly isHidden: (slug: string) => boolean
  /** Whether a page of this origin may open a socket on this host. */
  readonly isOwnOrigin: (origin: string | undefined, host: string | undefined) => boolean
  /** What sockets of strangers are counted under. */
  readonly addressOf: (request: IncomingMessage) => string
  readonly connectionsMax: number
  readonly onError: (error: unknown) => void
}

export interface LiveServer {
  readonly connections: number
  /** Since the start. */
  readonly framesSent: number
  readonly deliveries: DeliveryQueue['waiting']
  close(): Promise<void>
}

export function serveLive(needs: LiveNeeds): LiveServer {
  const { server, clock, onError } = needs
  const rooms = liveRooms(needs.views, clock)
  const viewerRooms = viewerRoomsOf(rooms, needs.own)
  const users = liveUsers(clock)
  const deliveries = deliveryQueue(clock)
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: messageBytesMax,
    perMessageDeflate: false,
    clientTracking: false,
    // A client that pings and does not read would fill the memory with answers.
    autoPong: false,
  })
  const connections = new Map<WebSocket, LiveConnection>()
  const strangers = new Map<string, number>()
  let isClosing = false
  let framesSent = 0

  function countStranger(address: string, change: 1 | -1): void {
    const count = (strangers.get(address) ?? 0) + change
    if (count > 0) strangers.set(address, count)
    else strangers.delete(address)
  }

  function accept(socket: WebSocket, request: IncomingMessage): void {
    // The cookie alone, as a kept request would keep its whole parser.
    const cookie = needs.cookieOf(request.headers.cookie)
    const findSession = (token: string) => needs.findSession(cookie, token)
    const address = needs.addressOf(request)
    countStranger(address, 1)
    let isStranger = true
    const onSettled = (): void => {
      if (isStranger) countStranger(address, -1)
      isStranger = false
    }
    const connection = liveConnection(socket, {
      rooms: viewerRooms,
      clock,
      findSession,
      isHidden: needs.isHidden,
      admit: (user, counted) => users.admit(user._id, cookie ?? '', counted),
      queue: (waiting) => deliveries.add(waiting),
      onFrame: () => {
        framesSent += 1
      },
      onSettled,
      onError,
    })
    connections.set(socket, connection)
    socket.on('close', () => connections.delete(socket))
  }

  function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    stream.on('error', () => stream.destroy())
    if (stream.destroyed) return
    // The path alone counts: a token in an address would stand in logs, so none is read.
    const isHere = request.url?.split('?')[0] === basePath + livePath
    if (!isHere) return refuse(stream, '404 Not Found')
    if (!needs.isOwnOrigin(request.headers.origin, request.headers.host)) return refuse(stream, '403 Forbidden')
    if (isClosing || connections.size >= needs.connectionsMax) return refuse(stream, '503 Service Unavailable')
    if ((strangers.get(needs.addressOf(request)) ?? 0) >= strangersPerAddressMax) return refuse(stream, '429 Too Many Requests')
    if (!users.mayOpen(needs.cookieOf(request.headers.cookie) ?? '')) return refuse(stream, '429 Too Many Requests')
    sockets.handleUpgrade(request, stream, head, (socket) => accept(socket, request))
  }

  function ping(): void {
    inSlices([...connections.values()], (connection) => connection.ping())
    users.sweep()
  }

  function beat(): void {
    const frame = frameOf({ t: 'beat', nowMs: clock.now() })
    inSlices([...connections.values()], (connection) => {
      if (connection.userId !== undefined) connection.beat(frame)
    })
  }

  function recheck(isDue: (connection: LiveConnection) => boolean): void {
    for (const connection of connections.values()) if (isDue(connection)) connection.recheck().catch(onError)
  }

  function repeat(everyMs: number, run: () => void): () => void {
    let cancel = clock.after(everyMs, function again() {
      run()
      cancel = clock.after(everyMs, again)
    })
    return () => cancel()
  }

  const watch = watchAccess({
    db: needs.db,
    clock,
    onError,
    isNeeded: () => connections.size > 0,
    onBegin: () => recheck(() => true),
    onChange: (userIds) => recheck(({ userId }) => userId !== undefined && userIds.has(userId)),
  })
  const stops = [
    repeat(pingMs, ping),
    repeat(beatMs, beat),
    repeat(premiumRoundMs, () => recheck(({ premiumEndMs }) => premiumEndMs !== undefined && premiumEndMs <= clock.now())),
    repeat(recheckMs, () => recheck(() => true)),
  ]
  server.on('upgrade', upgrade)

  return {
    get connections() {
      return connections.size
    },
    get framesSent() {
      return framesSent
    },
    get deliveries() {
      return deliveries.waiting
    },
    async close() {
      isClosing = true
      watch.stop()
      for (const stop of stops) stop()
      await Promise.all([...connections].map(([socket, connection]) => sayGoodbye(socket, connection)))
      deliveries.close()
      server.off('upgrade', upgrade)
      rooms.close()
    },
  }
}

function viewerRoomsOf(rooms: LiveRooms, own: OwnMarkets | undefined): ViewerRooms {
  return {
    refresh: (user) => own?.refresh(user) ?? Promise.resolve(),
    room: (user, instrument, topic) => (own?.find(user, instrument)?.rooms ?? rooms).room(instrument.series, topic),
    hold: (userId) => own?.hold(userId) ?? (() => undefined),
  }
}

/** Closes with 1001 and resolves when the client has answered, at the latest after `goodbyeMs`. */
function sayGoodbye(socket: WebSocket, connection: LiveConnection): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), goodbyeMs)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    connection.close()
  })
}

function refuse(stream: Duplex, status: string): void {
  stream.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}
