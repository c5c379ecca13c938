// Turns route values and a way to send into a typed client; the same for the browser and the tests.
import { ApiError, problemSchema } from './errors.ts'
import { pathOf, type CallOf, type ReplyOf, type Route, type Routes } from './route.ts'

export interface WireRequest {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

export interface WireReply {
  readonly status: number
  /** Parsed JSON, or the text itself where the answer was not JSON. */
  readonly body: unknown
  readonly retryAfterSeconds?: number | undefined
}

/** Sends one request; rejects only when no answer came. */
export type Send = (request: WireRequest) => Promise<WireReply>

type Caller<R extends Route> = unknown extends CallOf<R> ? () => Promise<ReplyOf<R>> : (call: CallOf<R>) => Promise<ReplyOf<R>>

export type Client<Api extends Readonly<Record<string, Routes>>> = {
  readonly [Feature in keyof Api]: { readonly [Name in keyof Api[Feature]]: Caller<Api[Feature][Name] & Route> }
}

/**
 * Makes `client.feature.name(call)` for each declared route.
 * A call resolves to the parsed reply and rejects with an `ApiError` on any refusal;
 * what `send` itself rejects with (no network) passes through.
 */
export function createClient<const Api extends Readonly<Record<string, Routes>>>(api: Api, send: Send): Client<Api> {
  const features = Object.entries(api).map(([feature, routes]) => [
    feature,
    Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, (call?: object) => callRoute(route, call ?? {}, send)])),
  ])
  return Object.fromEntries(features) as Client<Api>
}

async function callRoute(route: Route, call: { params?: unknown; query?: unknown; body?: unknown }, send: Send): Promise<unknown> {
  const answer = await send({ method: route.method, path: pathOf(route, call), body: call.body })
  if (answer.status >= 400) throw toApiError(answer)
  return route.reply.parse(answer.body)
}

/** The refusal of a reply whose status is 400 or more. */
export function toApiError(answer: WireReply): ApiError {
  const problem = problemSchema.safeParse(answer.body)
  if (problem.success) return new ApiError(answer.status, problem.data, answer.retryAfterSeconds)
  const message = typeof answer.body === 'string' && answer.body !== '' ? answer.body.slice(0, 200) : `Request failed (${answer.status})`
  return new ApiError(answer.status, { message }, answer.retryAfterSeconds)
}
