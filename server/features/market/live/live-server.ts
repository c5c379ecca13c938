// The socket of live candles on the HTTP server: who may open one, how many, and how they end.
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { CurrentSession } from '#server/features/auth/service.ts'
import { basePath } from '#shared/http/route.ts'
import type { Instrument } from '#shared/market/instruments.ts'
import { beatMs, livePath } from '#shared/market/live.ts'
import type { User } from '#shared/users/user.ts'
import type { Db } from '#server/db/database.ts'
import type { FeedClock } from '../feed.ts'
import { watchAccess } from './access-watch.ts'
import { liveConnection, type LiveConnection } from './live-connection.ts'
import { frameOf } from './live-room.ts'
import { liveRooms } from './live-rooms.ts'
import type { SeriesViews } from './series-views.ts'

/** A client has small things to say. */
const messageBytesMax = 4 * 1024
const connectionsPerUserMax = 12
/** Sockets of one address that have not said who they are; behind one address may be a whole company. */
const strangersPerAddressMax = 60
const pingMs = 20_000
const premiumRoundMs = 500
/** Everybody is checked again this often, whatever the watch may have missed. */
const recheckMs = 15_000

export interface LiveNeeds {
  readonly server: Server
  readonly db: Db
  readonly views: SeriesViews
  readonly clock: FeedClock
  /** The session of a cookie header and a token, read anew each time; does not count as use. */
  readonly findSession: (cookieHeader: string | undefined, token: string) => Promise<CurrentSession | undefined>
  readonly seriesFor: (user: User, instrument: Instrument) => string
  /** Whether a page of this origin may open a socket on this host. */
  readonly isOwnOrigin: (origin: string | undefined, host: string | undefined) => boolean
  /** What sockets of strangers are counted under; undefined where it is not known. */
  readonly addressOf: (request: IncomingMessage) => string | undefined
  readonly connectionsMax: number
  readonly onError: (error: unknown) => void
}

export interface LiveServer {
  readonly connections: number
  close(): Promise<void>
}

export function serveLive(needs: LiveNeeds): LiveServer {
  const { server, clock, onError } = needs
  const rooms = liveRooms(needs.views, clock)
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageBytesMax, perMessageDeflate: false, clientTracking: false })
  const connections = new Map<WebSocket, LiveConnection>()
  const answering = new WeakSet<WebSocket>()
  const strangers = new Map<string, number>()

  function countStranger(address: string | undefined, change: 1 | -1): void {
    if (address === undefined) return
    const count = (strangers.get(address) ?? 0) + change
    if (count > 0) strangers.set(address, count)
    else strangers.delete(address)
  }

  function admit(user: User): boolean {
    let open = 0
    for (const connection of connections.values()) if (connection.userId === user._id) open += 1
    return open < connectionsPerUserMax
  }

  function accept(socket: WebSocket, request: IncomingMessage): void {
    // The header alone, as a kept request would keep its whole parser.
    const { cookie } = request.headers
    const findSession = (token: string) => needs.findSession(cookie, token)
    const address = needs.addressOf(request)
    countStranger(address, 1)
    let isStranger = true
    const onSettled = (): void => {
      if (isStranger) countStranger(address, -1)
      isStranger = false
    }
    const connection = liveConnection(socket, { rooms, clock, findSession, seriesFor: needs.seriesFor, admit, onSettled, onError })
    connections.set(socket, connection)
    answering.add(socket)
    socket.on('pong', () => answering.add(socket))
    socket.on('close', () => connections.delete(socket))
  }

  function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    stream.on('error', () => stream.destroy())
    // The path alone counts: a token in an address would stand in logs, so none is read.
    const isHere = request.url?.split('?')[0] === basePath + livePath
    if (!isHere) return refuse(stream, '404 Not Found')
    if (!needs.isOwnOrigin(request.headers.origin, request.headers.host)) return refuse(stream, '403 Forbidden')
    if (connections.size >= needs.connectionsMax) return refuse(stream, '503 Service Unavailable')
    if ((strangers.get(needs.addressOf(request) ?? '') ?? 0) >= strangersPerAddressMax) return refuse(stream, '429 Too Many Requests')
    sockets.handleUpgrade(request, stream, head, (socket) => accept(socket, request))
  }

  function ping(): void {
    for (const socket of connections.keys()) {
      if (!answering.delete(socket)) socket.terminate()
      else socket.ping()
    }
  }

  function beat(): void {
    const frame = frameOf({ t: 'beat', nowMs: clock.now() })
    for (const connection of connections.values()) if (connection.userId !== undefined) connection.beat(frame)
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
    close() {
      server.off('upgrade', upgrade)
      watch.stop()
      for (const stop of stops) stop()
      for (const [socket, connection] of connections) {
        connection.close()
        // Whoever does not answer the farewell is cut with the rest of the server.
        clock.after(1_000, () => socket.terminate())
      }
      rooms.close()
      return Promise.resolve()
    },
  }
}

function refuse(stream: Duplex, status: string): void {
  stream.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}
