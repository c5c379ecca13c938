// Fake server behind `fetch`, derived from the contract: a request or response that violates it fails the test.
import type { z } from 'zod'
import { AppError, problemOf } from '#shared/http/app-error.ts'
import { message, type MessageCode } from '#shared/messages/message.ts'
import type { Message } from '#shared/text/texts.ts'
import type { ReplyOf, Route } from '#shared/http/route.ts'
import { findAccessRestriction } from '#shared/users/access-restriction.ts'
import type { User } from '#shared/users/user.ts'
import { nameOf, routeAt } from './route-table.ts'

type Part<R, Name extends string> =
  R extends Readonly<Record<Name, infer S extends z.ZodType>> ? { readonly [K in Name]: z.output<S> } : unknown

/** One call after parsing by the contract's schemas. */
export type ReceivedCall<R extends Route> = Part<R, 'params'> &
  Part<R, 'query'> &
  Part<R, 'body'> & {
    readonly headers: Headers
    /** Response headers that a handler may set, for example X-Total-Count. */
    readonly replyHeaders: Headers
  }

/** Returns the response of a call; throws an `AppError` to reject it. */
export type Handler<R extends Route> = (call: ReceivedCall<R>) => ReplyOf<R> | Promise<ReplyOf<R>>

/** A response that our server does not send, for example the error page of a proxy. */
export interface RawReply {
  readonly status: number
  readonly text: string
}

type Answer = (call: ReceivedCall<Route>) => unknown
type Behaviour = { readonly handle: Answer } | { readonly raw: RawReply } | 'unreachable'

const origin = 'http://localhost'
/** Statuses that any route may return: rate limit, server error, overload. */
const commonRejections: readonly number[] = [429, 500, 503]

/** The fake server; one for all tests, reset after each. */
export class FakeServer {
  /** Contract violations and unexpected calls; the test fails if there are any. */
  readonly problems: string[] = []
  #behaviours = new Map<string, Behaviour>()
  #calls: { readonly route: Route; readonly call: ReceivedCall<Route> }[] = []
  #gates = new Map<string, Promise<void>>()
  #session: { readonly token: string; user: User } | undefined

  /** Sets the handler of a route. */
  on<R extends Route>(route: R, handler: NoInfer<Handler<R>>): void {
    this.#behaviours.set(nameOf(route), { handle: handler as unknown as Answer })
  }

  /** Rejects every call of a route; the contract must list the status. */
  reject(route: Route, error: AppError): void {
    this.on(route, () => {
      throw error
    })
  }

  /** Makes every call of a route fail like a lost connection. */
  disconnect(route: Route): void {
    this.#behaviours.set(nameOf(route), 'unreachable')
  }

  /** Sends a response that our server never sends. */
  answerRaw(route: Route, raw: RawReply): void {
    this.#behaviours.set(nameOf(route), { raw })
  }

  /** Holds back the responses of a route until the returned function is called. */
  hold(route: Route): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#gates.set(nameOf(route), promise)
    return () => {
      this.#gates.delete(nameOf(route))
      resolve()
    }
  }

  /** All calls of a route, oldest first. */
  calls<R extends Route>(route: R): readonly ReceivedCall<R>[] {
    return this.#calls.filter((one) => one.route === route).map(({ call }) => call as ReceivedCall<R>)
  }

  /** Starts a session of this user; returns the token that the browser must send. */
  startSession(user: User): string {
    const token = `token-of-${user._id}`
    this.#session = { token, user }
    return token
  }

  /** Current state of the signed-in user on the server. */
  get user(): User | undefined {
    return this.#session?.user
  }

  /** Changes the signed-in user on the server only, for example as an admin's decision. */
  changeUser(change: Partial<User>): void {
    if (this.#session !== undefined) this.#session.user = { ...this.#session.user, ...change }
  }

  endSession(): void {
    this.#session = undefined
  }

  /** Resets everything. */
  reset(): void {
    this.problems.length = 0
    this.#behaviours.clear()
    this.#calls = []
    this.#gates.clear()
    this.#session = undefined
  }

  /** Replaces the browser's `fetch`. */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input, origin)
    const method = init.method ?? 'GET'
    const found = url.origin === origin ? routeAt(method, url.pathname) : undefined
    if (found === undefined) return this.#fail(`${method} ${url.href} is no route of the contract`)
    const { route } = found
    const call = this.#parse(route, { ...found.params }, url, init)
    if (call === undefined) return rejection(new AppError('invalid', 'http.badRequest'))
    this.#calls.push({ route, call })
    const behaviour = this.#behaviours.get(nameOf(route))
    if (behaviour === undefined) return this.#fail(`${nameOf(route)} was called and no test answers it`)
    await this.#gates.get(nameOf(route))
    if (behaviour === 'unreachable') throw new TypeError('Failed to fetch')
    if ('raw' in behaviour) return new Response(behaviour.raw.text, { status: behaviour.raw.status })
    return this.#answer(route, call, behaviour.handle)
  }

  async #answer(route: Route, call: ReceivedCall<Route>, handle: Answer): Promise<Response> {
    try {
      this.#guard(route, call.headers)
      const reply = await handle(call)
      const parsed = route.reply.safeParse(reply)
      if (!parsed.success) return this.#fail(`the reply of ${nameOf(route)} breaks the contract: ${parsed.error.message}`)
      const body = route.replyType === undefined ? JSON.stringify(reply) : String(reply)
      const headers = { 'content-type': route.replyType ?? 'application/json', ...Object.fromEntries(call.replyHeaders) }
      return new Response(body, { status: route.status ?? 200, headers })
    } catch (error) {
      if (!(error instanceof AppError)) return this.#fail(`the handler of ${nameOf(route)} failed: ${String(error)}`)
      if (![...(route.errorStatuses ?? []), ...commonRejections].includes(error.status))
        return this.#fail(`${nameOf(route)} does not refuse with ${error.status} by the contract`)
      return rejection(error)
    }
  }

  /** Checks the route's access level with the same rules as our server. */
  #guard(route: Route, headers: Headers): void {
    const isKnown = this.#session !== undefined && headers.get('session-token') === this.#session.token
    const issue = findAccessRestriction(route.access, isKnown ? this.#session?.user : undefined)
    if (issue === 'sign-in') throw new AppError('unauthenticated', 'auth.sessionMissing')
    if (issue !== undefined) throw new AppError('forbidden', 'http.forbidden')
  }

  #parse(route: Route, params: object, url: URL, init: RequestInit): ReceivedCall<Route> | undefined {
    const parts: Record<string, unknown> = {
      params,
      query: Object.fromEntries(url.searchParams),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    }
    const call: Record<string, unknown> = { headers: new Headers(init.headers), replyHeaders: new Headers() }
    for (const name of ['params', 'query', 'body'] as const) {
      const schema = route[name]
      if (schema === undefined) continue
      const parsed = schema.safeParse(parts[name])
      if (!parsed.success) {
        this.problems.push(`the ${name} of a call of ${nameOf(route)} breaks the contract: ${parsed.error.message}`)
        return undefined
      }
      call[name] = parsed.data
    }
    return call as unknown as ReceivedCall<Route>
  }

  #fail(problem: string): Response {
    this.problems.push(problem)
    return rejection(new AppError('internal', anySentence(problem)))
  }
}

/** A message with any sentence, to tell the server's from those of the page. */
export function anySentence(sentence: string): Message<MessageCode> {
  return message('http.invalidField', sentence)
}

function rejection(error: AppError): Response {
  const { retryAfterSeconds } = error.details
  const headers = {
    'content-type': 'application/json',
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  }
  return new Response(JSON.stringify(problemOf(error)), { status: error.status, headers })
}

export const server = new FakeServer()
