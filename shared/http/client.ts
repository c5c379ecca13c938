// Typed API client derived from routes and a `send` function; the same for browser and tests.
import { httpText } from '#shared/text/en/http.ts'
import { ApiError, problemSchema } from './api-error.ts'
import { pathOf, type CallOf, type ReplyOf, type Route, type Routes } from './route.ts'

export interface WireRequest {
  readonly method: string
  readonly path: string
  readonly body: unknown
  /** Rejected at once when the session has ended, where other calls wait for the next sign-in. */
  readonly needsNoSignIn?: true
  /** The response may come from the browser's cache, as its headers allow. */
  readonly isCacheable?: true
}

export interface WireReply {
  readonly status: number
  /** Parsed JSON, or the text itself if the response is not JSON. */
  readonly body: unknown
  readonly retryAfterSeconds?: number | undefined
}

/** Sends one request; rejects only without a response. */
export type Send = (request: WireRequest) => Promise<WireReply>

type Caller<R extends Route> = unknown extends CallOf<R> ? () => Promise<ReplyOf<R>> : (call: CallOf<R>) => Promise<ReplyOf<R>>

export type Client<Api extends Readonly<Record<string, Routes>>> = {
  readonly [Feature in keyof Api]: { readonly [Name in keyof Api[Feature]]: Caller<Api[Feature][Name] & Route> }
}

/**
 * Creates `client.feature.name(call)` for each declared route.
 * A call resolves to the parsed response and rejects with an `ApiError` for any error status;
 * rejections of `send` itself (no network) pass through.
 */
export function createClient<const Api extends Readonly<Record<string, Routes>>>(api: Api, send: Send): Client<Api> {
  const features = Object.entries(api).map(([feature, routes]) => [
    feature,
    Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, (call?: object) => callRoute(route, call ?? {}, send)])),
  ])
  return Object.fromEntries(features) as Client<Api>
}

async function callRoute(route: Route, call: { params?: unknown; query?: unknown; body?: unknown }, send: Send): Promise<unknown> {
  const needsNoSignIn = route.isBackground ?? route.endsSession
  const request = { method: route.method, path: pathOf(route, call), body: call.body }
  const answer = await send({
    ...request,
    ...(needsNoSignIn === true ? { needsNoSignIn } : {}),
    ...(route.isCacheable === true ? { isCacheable: true } : {}),
  })
  if (answer.status >= 400) throw toApiError(answer)
  return route.reply.parse(answer.body)
}

/** The error of a response with status 400 or above. */
export function toApiError(answer: WireReply): ApiError {
  const problem = problemSchema.safeParse(answer.body)
  if (problem.success) return new ApiError(answer.status, problem.data, answer.retryAfterSeconds)
  return new ApiError(answer.status, { message: messageOf(answer) }, answer.retryAfterSeconds)
}

/** Text is shown as it is, except for the HTML page of a proxy, which gets no message. */
function messageOf({ status, body }: WireReply): string {
  if (typeof body !== 'string' || body === '') return httpText.requestFailed(status)
  return body.trimStart().startsWith('<') ? '' : body.slice(0, 200)
}
