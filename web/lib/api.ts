// The typed client of the contract over the browser's fetch.
import { firstLoadApi } from '#shared/first-load-api.ts'
import { createClient, type WireReply, type WireRequest } from '#shared/http/client.ts'
import { ApiError } from '#shared/http/errors.ts'
import type { CallOf, ReplyOf, Route } from '#shared/http/route.ts'
import { session } from './storage.ts'

const timeoutMs = 15_000

/** The calls of the first screens, such as `client.users.me()`; rejects with an ApiError, whose status is 0 where no answer came. */
export const client = createClient(firstLoadApi, send)

/**
 * Sends one request to our own origin with cookie and Session-Token.
 * An answer of 401 to the stored token ends the stored session: the server no longer knows it.
 */
export async function send(request: WireRequest): Promise<WireReply> {
  return (await exchange(request)).reply
}

/** One call of the contract together with the headers of its answer, for the few that say something in them. */
export async function callWithHeaders<R extends Route>(route: R, call: CallOf<R>): Promise<{ reply: ReplyOf<R>; headers: Headers }> {
  let headers = new Headers()
  const one = createClient({ this: { route } }, async (request) => {
    const answer = await exchange(request)
    headers = answer.headers
    return answer.reply
  })
  return { reply: await one.this.route(call), headers }
}

async function exchange(request: WireRequest): Promise<{ reply: WireReply; headers: Headers }> {
  const token = session.token()
  const { status, text, headers } = await reach(request, token)
  if (status === 401 && token !== undefined && token === session.token()) session.clear()
  return { reply: { status, body: readBody(text), retryAfterSeconds: readRetryAfter(headers.get('retry-after')) }, headers }
}

async function reach(request: WireRequest, token: string | undefined) {
  try {
    const response = await fetch(request.path, {
      method: request.method,
      credentials: 'same-origin',
      cache: 'no-store',
      headers: headersFor(request, token),
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, text: await response.text(), headers: response.headers }
  } catch (error) {
    throw new ApiError(0, { message: error instanceof Error ? error.message : '', code: 'network' })
  }
}

/** Headers of a call; GET carries the JSON type as well, as the startup call is specified to. */
export function headersFor(request: Pick<WireRequest, 'method' | 'body'>, token: string | undefined): Record<string, string> {
  const hasJson = request.body !== undefined || request.method === 'GET'
  return {
    accept: 'application/json',
    ...(hasJson ? { 'content-type': 'application/json' } : {}),
    ...(token === undefined ? {} : { 'session-token': token }),
  }
}

/** Parsed JSON, or the text itself where it is not JSON. */
export function readBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Whole seconds of a Retry-After header; dates and nonsense give undefined. */
export function readRetryAfter(value: string | null): number | undefined {
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : undefined
}
