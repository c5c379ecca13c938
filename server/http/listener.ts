// The HTTP server: listens immediately, keeps visitors waiting until the app is ready, limits slow clients, drains, stops gracefully.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { AppError, problemOf } from '#shared/http/app-error.ts'
import { basePath } from '#shared/http/route.ts'
import { livePath } from '#shared/market-data/live/contract.ts'
import { apiHeaders } from './security-headers.ts'

/** Without new connections for this long the port can close; clients that never wait for responses do not keep it open. */
const quietMs = 100
const quietWaitMsMax = 1_500
const idleCheckMs = 250

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

export interface Drain {
  /** True from the stop signal on: readiness fails, and each response asks its client to reconnect. */
  readonly isDraining: boolean
  /** While the port closes: new requests wait for it, so that the process is idle and no connection is left unaccepted. */
  readonly queueRequest: ((proceed: () => void) => void) | undefined
}

/** Maximum pipelined requests per connection. Browsers and proxies send the next one after the response. */
const inFlightMax = 8
/** A client that reads nothing of a response for this long is gone. */
const writeTimeoutMs = 10_000

/** The only WebSocket path. */
const liveAddress = basePath + livePath

const inFlight = new WeakMap<Duplex, number>()

/** Counts the requests of a connection; terminates one that pipelines too many. */
export function boundedPipeline(handle: RequestHandler): RequestHandler {
  return (request, response) => {
    const { socket } = request
    const count = (inFlight.get(socket) ?? 0) + 1
    if (count > inFlightMax) {
      // Already read data is parsed anyway; destroying the request here avoids an error with a stack for each.
      request.destroy()
      socket.destroy()
      return
    }
    inFlight.set(socket, count)
    response.once('close', () => inFlight.set(socket, (inFlight.get(socket) ?? 1) - 1))
    handle(request, response)
  }
}

/** An HTTP server with limits for slow clients; it does not listen yet. */
export function createHttpServer(options: { readonly writeTimeoutMs?: number } = {}): Server {
  const server = createServer({
    requestTimeout: 20_000,
    headersTimeout: 15_000,
    keepAliveTimeout: 10_000,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: 16 * 1024,
    // Other upgrades, such as h2c, are ignored and the request is answered normally.
    shouldUpgradeCallback: ({ url, headers }) => url?.split('?')[0] === liveAddress && headers.upgrade?.toLowerCase() === 'websocket',
  })
  server.timeout = options.writeTimeoutMs ?? writeTimeoutMs
  // Fires on inactivity; a request in progress keeps its connection.
  server.on('timeout', (socket) => {
    if ((inFlight.get(socket) ?? 0) === 0 || socket.writableLength > 0) socket.destroy()
  })
  return server
}

/** Listens before the database is available, so that health checks see a starting process instead of a refused connection. */
export async function listen(options: { host: string; port: number }): Promise<Listener> {
  const listener = new Listener(options.port)
  await listener.listen(options.host)
  return listener
}

/** Shorter than the time after which an idle connection is closed. */
const startWaitMsMax = 8_000
const startQueueMax = 1_000

/** Requests that arrive while the process starts: visitors wait until it is ready, health checks are answered at once. */
class StartQueue {
  readonly #waiting = new Map<ServerResponse, { readonly request: IncomingMessage; readonly timer: NodeJS.Timeout }>()

  /** Keeps the request until `release`; answers 503 to health checks, after 8 seconds, and while 1,000 requests wait. */
  readonly add: RequestHandler = (request, response) => {
    if (request.url === '/healthz' || request.url === '/readyz' || this.#waiting.size >= startQueueMax) {
      respondStarting(request, response)
      return
    }
    const timer = setTimeout(() => respondStarting(request, response), startWaitMsMax)
    this.#waiting.set(response, { request, timer })
    response.once('close', () => {
      clearTimeout(timer)
      this.#waiting.delete(response)
    })
  }

  /** Passes on what still waits, in the order of arrival. */
  release(handle: RequestHandler): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const [response, { request, timer }] of waiting) {
      clearTimeout(timer)
      if (!response.writableEnded) handle(request, response)
    }
  }
}

/** 503, or 200 for `/healthz`: the process lives. */
function respondStarting(request: IncomingMessage, response: ServerResponse): void {
  const isAlive = request.url === '/healthz'
  const problem = problemOf(new AppError('unavailable', 'http.starting'))
  response.writeHead(isAlive ? 200 : 503, { ...apiHeaders, 'content-type': 'application/json; charset=utf-8', 'retry-after': '1' })
  response.end(JSON.stringify(isAlive ? { status: 'ok' } : problem))
}

export class Listener implements Drain {
  readonly server = createHttpServer()
  /** The actual port (differs if 0 was requested). */
  port: number
  isDraining = false
  queueRequest: Drain['queueRequest']
  readonly #upgraded = new Set<Duplex>()
  readonly #starting = new StartQueue()
  /** Connections and requests so far. */
  #arrivals = 0
  #isReady = false
  #closed: Promise<void> | undefined

  constructor(port: number) {
    this.port = port
    this.server
      .on('request', this.#starting.add)
      .on('connection', () => (this.#arrivals += 1))
      .on('request', () => (this.#arrivals += 1))
      .on('upgrade', (_request: IncomingMessage, socket: Duplex) => {
        // HTTP's own listener is gone, and those of the live sockets at a shutdown too: a reset would end the process.
        socket.on('error', () => socket.destroy())
        if (!this.#isReady) {
          socket.destroy()
          return
        }
        this.#upgraded.add(socket)
        socket.on('close', () => this.#upgraded.delete(socket))
      })
  }

  async listen(host: string): Promise<void> {
    const { server } = this
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.port, host, () => {
        server.off('error', reject)
        resolve()
      })
    })
    const address = server.address()
    if (typeof address === 'object' && address !== null) this.port = address.port
  }

  /** Passes on what has waited; the app has installed its own handler. */
  ready(): void {
    this.#isReady = true
    this.server.off('request', this.#starting.add)
    this.#starting.release((request, response) => this.server.emit('request', request, response))
  }

  /** Keeps serving for `drainMs`, while load balancers and keep-alive connections move away; skipped if the server was never ready. */
  async drain(drainMs: number): Promise<void> {
    if (this.isDraining || !this.#isReady) return
    this.isDraining = true
    await delay(drainMs)
  }

  /** Accepts no new connections, finishes running requests, terminates the rest after `graceMs`. Repeated calls share one stop. */
  close(graceMs: number): Promise<void> {
    this.isDraining = true
    this.#starting.release(respondStarting)
    // The app has sent close frames; remaining sockets would keep the server from closing.
    for (const socket of this.#upgraded) socket.destroy()
    this.#closed ??= this.#stop(graceMs)
    return this.#closed
  }

  async #stop(graceMs: number): Promise<void> {
    const { server } = this
    const queued: (() => void)[] = []
    this.queueRequest = (proceed) => queued.push(proceed)
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    const endMs = performance.now() + quietWaitMsMax
    for (let seen = -1; seen !== this.#arrivals && performance.now() < endMs;) {
      seen = this.#arrivals
      await delay(quietMs)
    }
    // Right after the poll for new connections: the kernel resets unaccepted ones.
    await new Promise((resolve) => setImmediate(resolve))
    // Not http.Server's close, which terminates connections whose first byte has not been read yet.
    const closing = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
    this.queueRequest = undefined
    for (const proceed of queued) proceed()
    // A response that started before the drain leaves its connection open.
    const idle = setInterval(() => server.closeIdleConnections(), idleCheckMs)
    await closing
    clearTimeout(cut)
    clearInterval(idle)
  }
}

/** Makes an app take part in a shutdown: responses close connections, and requests wait while the port closes. */
export function addDrainHooks(app: FastifyInstance, drain: Drain): void {
  app.addHook('onRequest', (_request, _reply, done) => {
    if (drain.queueRequest === undefined) done()
    else drain.queueRequest(done)
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (drain.isDraining) void reply.header('connection', 'close')
    done(null, payload)
  })
}

/** Responds on the socket to data that is not a valid request, and to requests that are too slow or too large. */
export function respondToInvalidHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, text] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431', 'Request Header Fields Too Large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408', 'Request Timeout']
        : ['400', 'Bad Request']
  const body = JSON.stringify({ ...problemOf(new AppError('invalid', 'http.badRequest')), statuscode: Number(status) })
  const headers = Object.entries({
    ...apiHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  })
  socket.end(`HTTP/1.1 ${status} ${text}\r\n${headers.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`)
}
