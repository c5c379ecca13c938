// The API client: calls the routes of the contract over fetch.
import { ApiError, apiErrorFrom } from '#shared/http/api-error.ts'
import { wireRequestOf, type CallArguments, type ReplyOf, type Route, type WireReply, type WireRequest } from '#shared/http/route.ts'
import { askForSignIn } from './ended-session.ts'
import { inPageLanguage } from './page-language.ts'
import { session } from './browser-storage.ts'

const timeoutMs = 15_000

/** Calls a route. Rejects with an ApiError for an error response, and with one of status 0 without a response. */
export async function call<R extends Route>(route: R, ...input: CallArguments<R>): Promise<ReplyOf<R>> {
  return replyOf(route, await send(route, ...input))
}

/** As `call`, for callers that read headers or malformed responses themselves: rejects only without a response. */
export function send<R extends Route>(route: R, ...[input]: CallArguments<R>): Promise<ApiResponse> {
  return exchange(wireRequestOf(route, input))
}

/** The reply in a response. @throws ApiError for an error response */
export function replyOf<R extends Route>(route: R, response: WireReply): ReplyOf<R> {
  if (response.status >= 400) throw apiErrorFrom(response)
  return route.reply.parse(response.body) as ReplyOf<R>
}

interface ApiResponse extends WireReply {
  readonly headers: Headers
}

/** If the session has ended, the user is asked to sign in again, and the request is repeated after that. */
async function exchange(request: WireRequest): Promise<ApiResponse> {
  const token = session.token()
  const { status, text, headers } = await reach(request, token)
  const body = inPageLanguage(readBody(text))
  const restored = restoreSession(token, status, body)
  if (request.needsNoSignIn !== true && (await restored)) return exchange(request)
  return { status, body, headers, retryAfterSeconds: readRetryAfter(headers.get('retry-after')) }
}

/**
 * Asks for a sign-in if a response says that the session of `token` has ended, which a wrong password does not.
 * True, at once or after the sign-in, if the call may be repeated.
 */
export function restoreSession(token: string | undefined, status: number, body: unknown): boolean | Promise<boolean> {
  const { code, message } = (body ?? {}) as Readonly<Record<string, unknown>>
  if (token === undefined || status !== 401 || !String(code).startsWith('auth.session')) return false
  // The sign-in of another call has already replaced the token.
  return token === session.token() ? askForSignIn(code === 'auth.sessionMissing' ? '' : String(message)) : session.token() !== undefined
}

async function reach(request: WireRequest, token: string | undefined) {
  try {
    const response = await fetch(request.path, {
      method: request.method,
      credentials: 'same-origin',
      cache: request.isCacheable === true ? 'default' : 'no-store',
      headers: headersFor(request, token),
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, text: await response.text(), headers: response.headers }
  } catch (error) {
    throw networkError(error)
  }
}

/** The error of a request without a response. */
export function networkError(error: unknown): ApiError {
  return new ApiError(0, { message: error instanceof Error ? error.message : '', code: 'network' })
}

/** Headers of a call; GET includes the JSON content type too, as specified for the startup call. */
export function headersFor(request: Pick<WireRequest, 'method' | 'body'>, token: string | undefined): Record<string, string> {
  const hasJson = request.body !== undefined || request.method === 'GET'
  return {
    accept: 'application/json',
    ...(hasJson ? { 'content-type': 'application/json' } : {}),
    ...(token === undefined ? {} : { 'session-token': token }),
  }
}

/** Parsed JSON, or the text itself if it is not JSON. */
export function readBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Whole seconds of a Retry-After header; undefined for dates and invalid values. */
export function readRetryAfter(value: string | null): number | undefined {
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) : undefined
}
