// The HTTP server itself: listens at once, answers 503 until the app is ready, bounds slow callers, drains, stops with grace.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { AppError, problemOf } from '#shared/http/errors.ts'
import { basePath } from '#shared/http/route.ts'
import { livePath } from '#shared/market/live.ts'
import { httpText } from '#shared/text/en/http.ts'
import { apiHeaders } from './security-headers.ts'

/** Without an arrival for so long, nobody is about to connect; callers that never wait for an answer do not keep the port open. */
const quietMs = 100
const holdMsMax = 1_500
const idleCheckMs = 250

export interface Drain {
  /** True from the signal to stop: readiness fails, and each response asks its caller to connect again. */
  readonly isDraining: boolean
  /** While the port closes: new requests wait for it, so that the process is idle and no connection is left unaccepted. */
  readonly hold: ((go: () => void) => void) | undefined
}

export interface Listener extends Drain {
  readonly server: Server
  /** The port that was really taken (differs where 0 was asked). */
  readonly port: number
  /** Ends the answers of the starting time; the app has put its own handler on the server. */
  ready(): void
  /** Serves on for `drainMs`, in which load balancers and kept-alive connections leave; a server that never was ready has none. */
  drain(drainMs: number): Promise<void>
  /** Takes no new connections, lets running requests end, cuts what is left after `graceMs`. Repeated calls share one end. */
  close(graceMs: number): Promise<void>
}

/** Requests of one connection that are not answered yet. Browsers and proxies send the next one after the answer. */
const inFlightMax = 8
/** A client that takes nothing of an answer for so long has gone. */
const writeTimeoutMs = 10_000

/** The one address that speaks WebSocket. */
const liveAddress = basePath + livePath

const inFlight = new WeakMap<Duplex, number>()

/** Counts the requests of a connection; cuts one that sends many without waiting for answers. */
export function boundedPipeline(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const { socket } = request
    const count = (inFlight.get(socket) ?? 0) + 1
    if (count > inFlightMax) {
      // The rest of what was read is parsed all the same; ended here, a request costs no error with a stack of its own.
      request.destroy()
      socket.destroy()
      return
    }
    inFlight.set(socket, count)
    response.once('close', () => inFlight.set(socket, (inFlight.get(socket) ?? 1) - 1))
    handle(request, response)
  }
}

/** An HTTP server that bounds slow callers; it does not listen yet. */
export function createHttpServer(options: { readonly writeTimeoutMs?: number } = {}): Server {
  const server = createServer({
    requestTimeout: 20_000,
    headersTimeout: 15_000,
    keepAliveTimeout: 10_000,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: 16 * 1024,
    // An offer to speak something else, such as h2c, is ignored and the request gets its answer.
    shouldUpgradeCallback: ({ url, headers }) => url?.split('?')[0] === liveAddress && headers.upgrade?.toLowerCase() === 'websocket',
  })
  server.timeout = options.writeTimeoutMs ?? writeTimeoutMs
  // Fires when nothing was read or written; a request that is still being worked on keeps its connection.
  server.on('timeout', (socket) => {
    if ((inFlight.get(socket) ?? 0) === 0 || socket.writableLength > 0) socket.destroy()
  })
  return server
}

/** Listens before the database is there, so that health checks see a starting process instead of a refused connection. */
export async function listen(options: { host: string; port: number }): Promise<Listener> {
  const server = createHttpServer()
  server.on('request', answerStarting)
  const upgraded = new Set<Duplex>()
  let arrivals = 0
  server.on('connection', () => (arrivals += 1)).on('request', () => (arrivals += 1))
  let isReady = false
  let isDraining = false
  let hold: Drain['hold']
  let closed: Promise<void> | undefined
  server.on('upgrade', (_request: IncomingMessage, socket: Duplex) => {
    if (!isReady) {
      socket.destroy()
      return
    }
    upgraded.add(socket)
    socket.on('close', () => upgraded.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  async function close(graceMs: number): Promise<void> {
    const held: (() => void)[] = []
    hold = (go) => held.push(go)
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    const heldUntilMs = performance.now() + holdMsMax
    for (let seen = -1; seen !== arrivals && performance.now() < heldUntilMs;) {
      seen = arrivals
      await delay(quietMs)
    }
    // Right after the poll for new connections: the kernel resets those that it has not handed over.
    await new Promise((resolve) => setImmediate(resolve))
    // Not http.Server's close, which cuts connections whose first byte has not been read yet.
    const closing = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
    hold = undefined
    for (const go of held) go()
    // A response that began before the drain leaves its connection open.
    const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs)
    await closing
    clearTimeout(cut)
    clearInterval(idle)
  }

  const address = server.address()
  return {
    server,
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    ready() {
      isReady = true
      server.off('request', answerStarting)
    },
    get isDraining() {
      return isDraining
    },
    get hold() {
      return hold
    },
    async drain(drainMs) {
      if (isDraining || !isReady) return
      isDraining = true
      await delay(drainMs)
    },
    close(graceMs) {
      isDraining = true
      // The app has said goodbye to them; what is left would keep the server from ending.
      for (const socket of upgraded) socket.destroy()
      closed ??= close(graceMs)
      return closed
    },
  }
}

/** Makes an app take part in a stop: responses say goodbye, and requests wait while the port closes. */
export function addDrainHooks(app: FastifyInstance, drain: Drain): void {
  app.addHook('onRequest', (_request, _reply, done) => {
    if (drain.hold === undefined) done()
    else drain.hold(done)
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (drain.isDraining) void reply.header('connection', 'close')
    done(null, payload)
  })
}

function answerStarting(request: IncomingMessage, response: ServerResponse): void {
  const isAlive = request.url === '/healthz'
  const problem = problemOf(new AppError('unavailable', httpText.starting, { code: 'http.starting' }))
  response.writeHead(isAlive ? 200 : 503, { ...apiHeaders, 'content-type': 'application/json; charset=utf-8', 'retry-after': '1' })
  response.end(JSON.stringify(isAlive ? { status: 'ok' } : problem))
}
