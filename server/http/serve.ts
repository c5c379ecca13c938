// Creates Fastify routes from the contract: access guard first, then size, type and zod, then the handler.
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { z } from 'zod'
import type { CurrentSession } from './request-actor.ts'
import { AppError, isCode } from '#shared/http/app-error.ts'
import type { PlainCode } from '#shared/text/messages.ts'
import { rootPathOf, type ReplyOf, type Route, type Routes } from '#shared/http/route.ts'
import { findAccessRestriction } from '#shared/users/access-restriction.ts'
import type { Idempotency } from './idempotency.ts'
import { isReadyJson, payloadOf, type ReadyJson } from './preserialized-json.ts'
import { rejectInvalidUnicode } from './reject-invalid-unicode.ts'

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
type Answer<R extends Route> = R extends { readonly replyType: string } ? Readable : ReplyOf<R> | ReadyJson

export type Handlers<Api extends Routes> = { readonly [Name in keyof Api]: (incoming: Incoming<Api[Name]>) => Promise<Answer<Api[Name]>> }

export type FindSession = (request: FastifyRequest, isUse: boolean) => Promise<CurrentSession | undefined>

/** Authenticates callers, and is called when a non-admin user requests an admin route. */
export interface Gate {
  readonly find: FindSession
  readonly idempotency?: Idempotency
  readonly onAdminRejected?: (session: CurrentSession, route: Route, request: FastifyRequest) => Promise<void>
}

export const bodyLimitBytesDefault = 16 * 1024

const sessions = new WeakMap<FastifyRequest, CurrentSession>()

/** Registers every route of a feature; a contract without its handler does not compile. */
export function serve<const Api extends Routes>(app: FastifyInstance, routes: Api, handlers: Handlers<Api>, gate: Gate): void {
  for (const [name, route] of Object.entries(routes)) {
    const handle = handlers[name as keyof Api] as (incoming: Incoming<Route>) => Promise<unknown>
    app.route({
      method: route.method,
      url: rootPathOf(route),
      bodyLimit: route.bodyLimitBytes ?? bodyLimitBytesDefault,
      // A stream is sent unchanged; everything else passes the reply schema.
      ...(route.replyType === undefined ? { schema: { response: { [route.status ?? 200]: replySchema(route) } } } : {}),
      // On the route itself and before the body is read: no spelling of the URL bypasses it, and validation rules are not disclosed.
      ...(route.access === 'anyone' ? {} : { onRequest: (request: FastifyRequest) => guard(route, request, gate) }),
      handler: async (request, reply) => {
        const incoming = { ...parseInput(route, request), session: sessions.get(request), request, reply } as Incoming<Route>
        void reply.code(route.status ?? 200)
        if (route.replyType !== undefined) void reply.type(route.replyType)
        const run = () => handle(incoming)
        const answer = await (gate.idempotency?.once(route, request, sessions.get(request)?.user._id, run) ?? run())
        return isReadyJson(answer) ? payloadOf(answer, reply) : answer
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

async function guard(route: Route, request: FastifyRequest, gate: Gate): Promise<void> {
  const session = await gate.find(request, route.isBackground !== true)
  const restriction = findAccessRestriction(route.access, session?.user)
  if (restriction === 'sign-in') throw new AppError('unauthenticated', 'auth.sessionMissing')
  if (restriction === 'premium') throw new AppError('forbidden', 'http.premiumRequired')
  if (restriction === 'password') throw new AppError('forbidden', 'privacy.temporaryRejected')
  if (restriction === 'second-factor') throw new AppError('forbidden', 'factors.setUpFirst')
  if (restriction === 'consent') throw new AppError('forbidden', 'privacy.consentRejected')
  if (restriction === 'admin') {
    if (session !== undefined) await gate.onAdminRejected?.(session, route, request)
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
  const own = reported.map((issue) => issue.message).find((text) => isCode(text))
  throw new AppError('invalid', own ?? 'http.badRequest', { fields })
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
