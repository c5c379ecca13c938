// The HTTP server itself: listens at once, answers 503 until the app is ready, bounds slow callers, stops with grace.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError, problemOf } from '#shared/http/errors.ts'
import { httpText } from '#shared/text/en/http.ts'
import { apiHeaders } from './security-headers.ts'

export interface Listener {
  readonly server: Server
  /** The port that was really taken (differs where 0 was asked). */
  readonly port: number
  /** Ends the answers of the starting time; the app has put its own handler on the server. */
  ready(): void
  /** Takes no new connections, lets running requests end, cuts what is left after `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** Listens before the database is there, so that health checks see a starting process instead of a refused connection. */
export async function listen(options: { host: string; port: number }): Promise<Listener> {
  const server = createServer({
    requestTimeout: 20_000,
    headersTimeout: 15_000,
    keepAliveTimeout: 10_000,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: 16 * 1024,
  })
  server.on('request', answerStarting)
  const upgraded = new Set<Duplex>()
  let isReady = false
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
  const address = server.address()
  return {
    server,
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    ready() {
      isReady = true
      server.off('request', answerStarting)
    },
    close(graceMs) {
      // They never end by themselves, and the server waits for them; who was connected comes back to another process.
      for (const socket of upgraded) socket.destroy()
      return close(server, graceMs)
    },
  }
}

function answerStarting(request: IncomingMessage, response: ServerResponse): void {
  const isAlive = request.url === '/healthz'
  const problem = problemOf(new AppError('unavailable', httpText.starting, { code: 'http.starting' }))
  response.writeHead(isAlive ? 200 : 503, { ...apiHeaders, 'content-type': 'application/json; charset=utf-8', 'retry-after': '1' })
  response.end(JSON.stringify(isAlive ? { status: 'ok' } : problem))
}

async function close(server: Server, graceMs: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), graceMs)
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
  clearTimeout(cut)
}
