// Route definitions: server, browser client, OpenAPI document and tests are derived from them.
import type { z } from 'zod'
import { httpText } from '#shared/http/text/en.ts'

/** Who may call a route. There is no default: a route without an access level does not compile. */
export type Access = 'anyone' | 'signed-in' | 'premium' | 'admin'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Route {
  readonly method: Method
  /** Path below the base path, with `:name` parameters, for example `/user/sessions/:id`. */
  readonly path: string
  readonly access: Access
  readonly summary: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  readonly reply: z.ZodType
  readonly status?: 200 | 201
  /** Media type of a response that is not JSON; such a route returns a stream. */
  readonly replyType?: string
  readonly bodyLimitBytes?: number
  /** Background request of the page: does not extend the session. */
  readonly isBackground?: true
  /** Ends the caller's session: one that has ended before is no reason to ask for a sign-in. */
  readonly endsSession?: true
  /** Request or response contains secrets: the response is never stored for idempotent replays. */
  readonly hasSecrets?: true
  /** Browsers may cache a response whose headers allow it; all others are never stored. */
  readonly isCacheable?: true
  /** HTTP error statuses that this route itself can return, for the OpenAPI document and the tests. */
  readonly errorStatuses?: readonly number[]
}

export type Routes = Readonly<Record<string, Route>>

/** Declares one route and keeps its literal types. */
export function route<const R extends Route>(definition: R): R {
  return definition
}

type Part<R, Name extends string> = R extends Readonly<Record<Name, infer S extends z.ZodType>> ? { [K in Name]: z.input<S> } : unknown

/** What a caller passes to a route: `{ params, query, body }`, each only where the route has it. */
export type CallOf<R extends Route> = Part<R, 'params'> & Part<R, 'query'> & Part<R, 'body'>

export type ReplyOf<R extends Route> = z.output<R['reply']>

/** The arguments of a call after its route: none for a route without input. */
export type CallArguments<R extends Route> = unknown extends CallOf<R> ? [] : [input: CallOf<R>]

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

export const basePath = '/api/v1'

/** The path of a route from the root, with its `:name` parameters. */
export function rootPathOf(route: Route): string {
  return basePath + route.path
}

/**
 * Fills `:name` parameters into a path and appends the query; values are percent-encoded.
 * Throws 'Invalid API endpoint' for an unknown route, which only untyped code can pass.
 */
export function pathOf(route: Route | undefined, call: { params?: unknown; query?: unknown }): string {
  if (route === undefined) throw new Error(httpText.invalidEndpoint)
  const params = (call.params ?? {}) as Record<string, unknown>
  const path = rootPathOf(route).replace(/:([a-zA-Z]+)/g, (_, name: string) => encode(params[name]))
  const pairs = Object.entries((call.query ?? {}) as Record<string, unknown>).filter(([, value]) => value !== undefined)
  const query = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  return path + (query === '' ? '' : `?${query}`)
}

/** The request of a call. */
export function wireRequestOf<R extends Route>(route: R, input?: CallOf<R>): WireRequest {
  const call: { params?: unknown; query?: unknown; body?: unknown } = input ?? {}
  const needsNoSignIn = route.isBackground ?? route.endsSession
  return {
    method: route.method,
    path: pathOf(route, call),
    body: call.body,
    ...(needsNoSignIn === true ? { needsNoSignIn } : {}),
    ...(route.isCacheable === true ? { isCacheable: true } : {}),
  }
}

function encode(value: unknown): string {
  return encodeURIComponent(String(value))
}
