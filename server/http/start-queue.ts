// Requests that arrive while the process starts: visitors wait until it is ready, health checks are answered at once.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError, problemOf } from '#shared/http/app-error.ts'
import { apiHeaders } from './security-headers.ts'

/** Shorter than the time after which an idle connection is closed. */
const waitMsMax = 8_000
const waitingMax = 1_000

type Handle = (request: IncomingMessage, response: ServerResponse) => void

export class StartQueue {
  readonly #waiting = new Map<ServerResponse, { readonly request: IncomingMessage; readonly timer: NodeJS.Timeout }>()

  /** Keeps the request until `release`; answers 503 to health checks, after 8 seconds, and while 1,000 requests wait. */
  readonly take: Handle = (request, response) => {
    if (request.url === '/healthz' || request.url === '/readyz' || this.#waiting.size >= waitingMax) {
      answerStarting(request, response)
      return
    }
    const timer = setTimeout(() => answerStarting(request, response), waitMsMax)
    this.#waiting.set(response, { request, timer })
    response.once('close', () => {
      clearTimeout(timer)
      this.#waiting.delete(response)
    })
  }

  /** Passes on what still waits, in the order of arrival. */
  release(handle: Handle): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const [response, { request, timer }] of waiting) {
      clearTimeout(timer)
      if (!response.writableEnded) handle(request, response)
    }
  }
}

/** 503, or 200 for `/healthz`: the process lives. */
export function answerStarting(request: IncomingMessage, response: ServerResponse): void {
  const isAlive = request.url === '/healthz'
  const problem = problemOf(new AppError('unavailable', 'http.starting'))
  response.writeHead(isAlive ? 200 : 503, { ...apiHeaders, 'content-type': 'application/json; charset=utf-8', 'retry-after': '1' })
  response.end(JSON.stringify(isAlive ? { status: 'ok' } : problem))
}
