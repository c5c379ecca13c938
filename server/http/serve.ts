// Creates Fastify routes from the contract: access guard first, then size, type and zod, then the handler and its reply.
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { z } from 'zod'
import { isReversed, type DayRange } from '#shared/base/day-range.ts'
import { AppError, isCode } from '#shared/http/app-error.ts'
import { rootPathOf, type ReplyOf, type Route, type Routes } from '#shared/http/route.ts'
import type { PlainCode } from '#shared/messages/message.ts'
import { findAccessRestriction } from '#shared/users/access-restriction.ts'
import type { Idempotency } from './idempotency.ts'
import type { CurrentSession } from './session.ts'

type Parsed<R, Name extends string> = R extends Readonly<Record<Name, infer S extends z.ZodType>> ? z.output<S> : undefined

/** Input of a handler: parsed request, and the session that its access level guarantees. */
export interface Incoming<R extends Route> {
  readonly params: Parsed<R, 'params'>
  readonly query: Parsed<R, 'query'>
  readonly body: Parsed<R, 'body'>
  readonly session: R['access'] extends 'anyone' ? undefined : CurrentSession
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Result of a handler: the reply of the contract, also preserialized, or a stream if the contract has a media type. */
type HandlerResult<R extends Route> = R extends { readonly replyType: string } ? Readable : ReplyOf<R> | PreserializedJson

export type Handlers<Api extends Routes> = {
  readonly [Name in keyof Api]: (incoming: Incoming<Api[Name]>) => Promise<HandlerResult<Api[Name]>>
}

export interface ServeOptions {
  readonly findSession: (request: FastifyRequest, isUse: boolean) => Promise<CurrentSession | undefined>
  readonly idempotency?: Idempotency
  /** Called when a user requests an admin route. */
  readonly onAdminRejected?: (session: CurrentSession, route: Route, request: FastifyRequest) => Promise<void>
}

export const bodyLimitBytesDefault = 16 * 1024

const sessions = new WeakMap<FastifyRequest, CurrentSession>()

/** Registers every route of a feature; a contract without its handler does not compile. */
export function serve<const Api extends Routes>(app: FastifyInstance, routes: Api, handlers: Handlers<Api>, options: ServeOptions): void {
  for (const [name, route] of Object.entries(routes)) {
    const handle = handlers[name as keyof Api] as (incoming: Incoming<Route>) => Promise<unknown>
    app.route({
      method: route.method,
      url: rootPathOf(route),
      bodyLimit: route.bodyLimitBytes ?? bodyLimitBytesDefault,
      // A stream is sent unchanged; everything else passes the reply schema.
      ...(route.replyType === undefined ? { schema: { response: { [route.status ?? 200]: replySchema(route) } } } : {}),
      // On the route itself and before the body is read: no spelling of the URL bypasses it, and validation rules are not disclosed.
      ...(route.access === 'anyone' ? {} : { onRequest: (request: FastifyRequest) => guard(route, request, options) }),
      handler: async (request, reply) => {
        const incoming = { ...parseInput(route, request), session: sessions.get(request), request, reply } as Incoming<Route>
        void reply.code(route.status ?? 200)
        if (route.replyType !== undefined) void reply.type(route.replyType)
        const run = () => handle(incoming)
        const result = await (options.idempotency?.once(route, request, sessions.get(request)?.user._id, run) ?? run())
        return isPreserialized(result) ? payloadOf(result, reply) : result
      },
    })
  }
}

/** Returns 405 with Allow on known paths for all methods that the contract does not define. */
export function rejectOtherMethods(app: FastifyInstance, api: Readonly<Record<string, Routes>>): void {
  const methodsByPath = new Map<string, Set<string>>()
  for (const route of Object.values(api).flatMap((routes) => Object.values(routes))) {
    const url = rootPathOf(route)
    methodsByPath.set(url, (methodsByPath.get(url) ?? new Set()).add(route.method))
  }
  const all: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  for (const [url, methods] of methodsByPath) {
    app.route({
      method: all.filter((method) => !methods.has(method)),
      url,
      // Runs before the body limit, so that a large body does not return 413 instead.
      onRequest: (_request, reply, done) => {
        void reply.header('allow', [...methods].join(', '))
        done(new AppError('method-not-allowed', 'http.methodNotAllowed'))
      },
      handler: () => undefined,
    })
  }
}

async function guard(route: Route, request: FastifyRequest, options: ServeOptions): Promise<void> {
  const session = await options.findSession(request, route.isBackground !== true)
  const restriction = findAccessRestriction(route.access, session?.user)
  if (restriction === 'sign-in') throw new AppError('unauthenticated', 'auth.sessionMissing')
  if (restriction === 'premium') throw new AppError('forbidden', 'http.premiumRequired')
  if (restriction === 'password') throw new AppError('forbidden', 'privacy.temporaryRejected')
  if (restriction === 'second-factor') throw new AppError('forbidden', 'factors.setUpFirst')
  if (restriction === 'consent') throw new AppError('forbidden', 'privacy.consentRejected')
  if (restriction === 'admin') {
    if (session !== undefined) await options.onAdminRejected?.(session, route, request)
    throw new AppError('forbidden', 'http.forbidden')
  }
  if (session !== undefined) sessions.set(request, session)
}

function parseInput(route: Route, request: FastifyRequest): { params: unknown; query: unknown; body: unknown } {
  rejectInvalidUnicode([request.params, request.query, request.body])
  return {
    params: parse(route.params, request.params),
    query: parse(route.query, request.query),
    // A missing body is treated as an empty form, so that the contract's own messages are returned.
    body: parse(route.body, request.body ?? (route.body instanceof z.ZodObject ? {} : undefined)),
  }
}

function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const reported = parsed.error.issues.filter((issue) => issue.path.length > 0)
  const fields = Object.fromEntries(reported.map((issue) => [issue.path.join('.').slice(0, 80), fieldMessage(issue, value)]))
  const code = reported.map((issue) => issue.message).find((text) => isCode(text))
  throw new AppError('invalid', code ?? 'http.badRequest', { fields })
}

/** Messages of our own schemas are codes; those of the library are for programmers. */
function fieldMessage({ message, path }: z.core.$ZodIssue, value: unknown): PlainCode {
  if (isCode(message)) return message
  return path.reduce<unknown>(memberOf, value) === undefined ? 'http.fieldMissing' : 'http.fieldInvalid'
}

function memberOf(parent: unknown, key: PropertyKey): unknown {
  return typeof parent === 'object' && parent !== null ? (parent as Readonly<Record<PropertyKey, unknown>>)[key] : undefined
}

/** The reply schema as Fastify serializer: undeclared fields are dropped. */
function replySchema(route: Route): unknown {
  const { $schema: _, ...schema } = z.toJSONSchema(route.reply, { io: 'output', target: 'draft-7' })
  return schema
}

/**
 * Rejects strings that no column or screen can hold, anywhere in a parsed JSON value: NUL and lone surrogates.
 * Without recursion, so that depth cannot exhaust the stack.
 * @throws AppError invalid
 */
export function rejectInvalidUnicode(value: unknown): void {
  const pending: unknown[] = [value]
  while (pending.length > 0) {
    const next = pending.pop()
    if (typeof next === 'string') {
      if (next.includes('\u0000') || !next.isWellFormed()) throw new AppError('invalid', 'http.badRequest')
    } else if (typeof next === 'object' && next !== null) {
      for (const [key, member] of Object.entries(next)) pending.push(key, member)
    }
  }
}

/**
 * Rejects a range of days that ends before it starts.
 * @throws AppError invalid at the field `to`
 */
export function rejectReversedRange(range: DayRange): void {
  if (isReversed(range)) throw new AppError('invalid', 'dates.reversed', { fields: { to: 'dates.reversed' } })
}

const preserialized = Symbol('preserialized JSON')

/** A reply in pieces: large cached responses are not serialized for each request, and long lists are not held in memory. */
export interface PreserializedJson {
  readonly [preserialized]: true
  readonly pieces: readonly Buffer[] | Readable
}

/** Marks a string, or consecutive buffers, as the whole reply. It bypasses the reply schema, so its creator ensures the format. */
export function preserializedJson(json: string | readonly Buffer[]): PreserializedJson {
  return { [preserialized]: true, pieces: typeof json === 'string' ? [Buffer.from(json)] : json }
}

/** A list in batches, as its route serializes it: the reply schema applies to each batch. */
export function streamedArray(batches: AsyncIterable<readonly unknown[]>, reply: FastifyReply): PreserializedJson {
  async function* text(): AsyncGenerator<string> {
    let separator = '['
    for await (const batch of batches) {
      if (batch.length === 0) continue
      yield separator + (reply.serialize(batch) as string).slice(1, -1)
      separator = ','
    }
    yield separator === '[' ? '[]' : ']'
  }
  return { [preserialized]: true, pieces: Readable.from(text()) }
}

function isPreserialized(reply: unknown): reply is PreserializedJson {
  return typeof reply === 'object' && reply !== null && preserialized in reply
}

/** Sets the headers of a preserialized reply and returns its payload. */
function payloadOf({ pieces }: PreserializedJson, reply: FastifyReply): Readable | Buffer | undefined {
  void reply.type('application/json; charset=utf-8')
  if (pieces instanceof Readable) return pieces
  if (pieces.length < 2) return pieces[0]
  void reply.header(
    'content-length',
    pieces.reduce((sum, piece) => sum + piece.length, 0),
  )
  return new Pieces(pieces)
}

/** Writes consecutive buffers at once: one call of the system, and no copy. */
class Pieces extends Readable {
  readonly #pieces: readonly Buffer[]

  constructor(pieces: readonly Buffer[]) {
    super({ read: () => undefined })
    this.#pieces = pieces
    this.push(null)
  }

  override pipe<Target extends NodeJS.WritableStream>(target: Target): Target {
    const response = target as unknown as ServerResponse
    response.cork()
    for (const piece of this.#pieces) response.write(piece)
    response.end()
    response.uncork()
    this.resume()
    return target
  }
}
