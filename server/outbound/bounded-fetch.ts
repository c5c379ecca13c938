// The subset of `fetch` that adapters use, over connections whose address is checked when they are made.
import { request as httpRequest, Agent as HttpAgent, type IncomingMessage } from 'node:http'
import { request as httpsRequest, Agent as HttpsAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import { readBody } from './read-body.ts'

/** Maximum concurrent connections per host. */
export const connectionsMax = 4
/** Twice the largest page that is asked for. */
const answerBytesMax = 2 * 1024 * 1024

interface FetchParts {
  readonly check: (url: URL) => void
  readonly lookupFor: (url: URL) => LookupFunction
  readonly agentFor: (url: URL) => HttpsAgent | undefined
}

/** A `fetch` for text bodies. Redirects and oversized responses reject. The caller's signal is the timeout. */
export function boundedFetch({ check, lookupFor, agentFor }: FetchParts): typeof fetch {
  const bounds = { keepAlive: false, maxSockets: connectionsMax }
  const agents = { http: new HttpAgent(bounds), https: new HttpsAgent(bounds) }

  function send(url: URL, init: RequestInit): Promise<IncomingMessage> {
    const isSecure = url.protocol === 'https:'
    const headers = Object.fromEntries(new Headers(init.headers))
    const body = typeof init.body === 'string' ? init.body : undefined
    return new Promise((resolve, reject) => {
      const options = {
        method: init.method ?? 'GET',
        headers: { ...headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) },
        lookup: lookupFor(url),
        agent: agentFor(url) ?? (isSecure ? agents.https : agents.http),
        ...(init.signal !== null && init.signal !== undefined && { signal: init.signal }),
      }
      const call = (isSecure ? httpsRequest : httpRequest)(url, options, resolve)
      call.on('error', reject)
      call.end(body)
    })
  }

  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    check(url)
    const answer = await send(url, init)
    const status = answer.statusCode ?? 0
    if (status >= 300 && status < 400) {
      answer.destroy()
      throw new TypeError('A redirect is not followed')
    }
    const headers = new Headers()
    for (const name of ['content-type', 'date', 'retry-after'] as const) {
      const value = answer.headers[name]
      if (value !== undefined) headers.set(name, value)
    }
    return new Response(await readBody(answer, answerBytesMax), { status, headers })
  }
}
