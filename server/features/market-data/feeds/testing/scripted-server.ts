// The servers of the scripted exchange: local HTTP and WebSocket in a dialect, with errors on demand.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import type { Dialect, DialectAnswer, DialectRequest, Frame, MarketEvent, Peer, Truth } from './dialect.ts'
import type { ManualClock } from './manual-clock.ts'

/** Replaces the correct response; `hang` never responds, `cut` closes the connection, `half` sends half of the response. */
export type FaultyAnswer = DialectAnswer | 'hang' | 'cut' | 'half'

/** Injected errors; a test sets and clears them as it runs. */
export interface Faults {
  /** Offset of the exchange's clock. Set it before advancing the exchange. */
  skewMs: number
  /** Responds to a request instead of the dialect. */
  http: ((request: DialectRequest) => FaultyAnswer | undefined) | undefined
  /** Transforms a frame on its way to a client: drop, keep, duplicate or replace. */
  frame: ((frame: Frame, event: MarketEvent | undefined) => readonly Frame[]) | undefined
  /** Connections are open but carry nothing in either direction, not even pings. */
  isFrozen: boolean
  /** New connections get this status instead of a WebSocket upgrade. */
  rejectDialWith: number | undefined
  /** Symbols that are rejected. */
  readonly notOffered: Set<string>
}

export interface Line {
  readonly socket: WebSocket
  readonly peer: Peer
  answeredMs: number
}

export interface ScriptedServer {
  readonly port: number
  readonly lines: ReadonlySet<Line>
  readonly dials: { total: number; open: number }
  readonly requests: DialectRequest[]
  readonly received: { frame: Frame; timeMs: number }[]
  /** Incremented for all traffic; for `settle`. */
  activity(): number
  deliver(line: Line, frames: readonly Frame[], event?: MarketEvent): void
  /** Pings a client, or disconnects it if its pong is overdue. */
  ping(line: Line): void
  close(): Promise<void>
}

export interface ServerOptions {
  readonly dialect: Dialect
  readonly clock: ManualClock
  readonly truth: Truth
  readonly faults: Faults
}

/** Clients without a pong for this long are disconnected, as by the strictest provider. */
const pongWithinMs = 60_000

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

function frameOf(data: RawData, isBinary: boolean): Frame {
  const bytes = Buffer.isBuffer(data) ? data : Buffer.concat([data].flat().map((part) => Buffer.from(part as ArrayBuffer)))
  return isBinary ? bytes : bytes.toString('utf8')
}

/** Starts listening on a free local port. */
export async function scriptedServer({ dialect, clock, truth, faults }: ServerOptions): Promise<ScriptedServer> {
  const lines = new Set<Line>()
  const dials = { total: 0, open: 0 }
  const requests: DialectRequest[] = []
  const received: { frame: Frame; timeMs: number }[] = []
  let activity = 0

  function deliver(line: Line, frames: readonly Frame[], event?: MarketEvent): void {
    for (const frame of frames) {
      if (faults.isFrozen) continue
      for (const passed of faults.frame?.(frame, event) ?? [frame]) line.socket.send(passed)
      activity += 1
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    activity += 1
    const url = new URL(request.url ?? '/', 'http://exchange')
    const asked: DialectRequest = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: await bodyOf(request),
    }
    requests.push(asked)
    const fault = faults.isFrozen ? 'hang' : faults.http?.(asked)
    if (fault === 'hang') return
    if (fault === 'cut') return void request.socket.destroy()
    const reply = typeof fault === 'object' ? fault : (dialect.answer(asked, truth) ?? { status: 404, body: '{}' })
    const body = fault === 'half' ? reply.body.slice(0, Math.floor(reply.body.length / 2)) : reply.body
    const date = new Date(truth.nowMs()).toUTCString()
    response.writeHead(reply.status, { 'content-type': 'application/json', date, ...reply.headers }).end(body)
    activity += 1
  }

  const server = createServer((request, response) => void answer(request, response))
  // The HTTP server's close would wait forever for upgraded sockets.
  const raw = new Set<Socket>()
  server.on('connection', (socket) => {
    raw.add(socket)
    socket.on('close', () => raw.delete(socket))
  })
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, autoPong: false })

  server.on('upgrade', (request, socket, head) => {
    activity += 1
    dials.total += 1
    if (faults.isFrozen) return
    if (faults.rejectDialWith !== undefined) {
      socket.end(`HTTP/1.1 ${faults.rejectDialWith} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
      return
    }
    sockets.handleUpgrade(request, socket, head, (client) => welcome(client, request))
  })

  function welcome(socket: WebSocket, request: IncomingMessage): void {
    const subscribed = new Set<string>()
    const peer: Peer = {
      url: new URL(request.url ?? '/', 'http://exchange'),
      headers: request.headers,
      memory: new Map(),
      subscribed,
      subscribe: (symbol) => void subscribed.add(symbol),
      unsubscribe: (symbol) => void subscribed.delete(symbol),
      send(frame) {
        activity += 1
        if (!faults.isFrozen) socket.send(frame)
      },
      close: (code, reason) => socket.close(code, reason),
    }
    const line: Line = { socket, peer, answeredMs: clock.now() }
    lines.add(line)
    dials.open += 1
    activity += 1
    socket.on('pong', () => {
      line.answeredMs = clock.now()
    })
    socket.on('ping', (data) => {
      activity += 1
      if (!faults.isFrozen) socket.pong(data)
    })
    socket.on('message', (data, isBinary) => {
      activity += 1
      const frame = frameOf(data, isBinary)
      received.push({ frame, timeMs: clock.now() })
      if (!faults.isFrozen) dialect.received?.(peer, frame, truth)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      activity += 1
      dials.open -= 1
      lines.delete(line)
    })
    dialect.connected?.(peer, truth)
  }

  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })

  return {
    port: (server.address() as AddressInfo).port,
    lines,
    dials,
    requests,
    received,
    activity: () => activity,
    deliver,
    ping(line) {
      activity += 1
      if (clock.now() - line.answeredMs > pongWithinMs) line.socket.terminate()
      else if (!faults.isFrozen) line.socket.ping()
    },
    async close() {
      for (const socket of raw) socket.destroy()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
