// Makes Fastify routes from the contract: guard by the access word first, then size, type and zod, then the handler.
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { z } from 'zod'
import type { CurrentSession } from '#server/features/auth/service.ts'
import { AppError } from '#shared/http/errors.ts'
import { rootPathOf, type ReplyOf, type Route, type Routes } from '#shared/http/route.ts'
import { authText } from '#shared/text/en/auth.ts'
import { factorsText } from '#shared/text/en/factors.ts'
import { httpText } from '#shared/text/en/http.ts'
import { privacyText } from '#shared/text/en/privacy.ts'
import { udfKeysText } from '#shared/text/en/udf-keys.ts'
import { findObstacle } from '#shared/users/access.ts'
import type { Idempotency } from './idempotency.ts'
import { isReadyJson, payloadOf, type ReadyJson } from './ready-json.ts'
import { refuseBrokenText } from './text-guard.ts'

type Parsed<R, Name extends string> = R extends Readonly<Record<Name, infer S extends z.ZodType>> ? z.output<S> : undefined

/** Who calls with a key in place of a session. */
export type KeySession = Pick<CurrentSession, 'user'>

/** What a handler gets: parsed input, and the session that its access word promises. */
export interface Incoming<R extends Route> {
  readonly params: Parsed<R, 'params'>
  readonly query: Parsed<R, 'query'>
  readonly body: Parsed<R, 'body'>
  readonly session: R['access'] extends 'anyone' ? undefined : R['access'] extends 'udf-key' ? KeySession : CurrentSession
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** What a handler answers: the reply of the contract, also as its ready text, or a stream where the contract names a media type. */
type Answer<R extends Route> = R extends { readonly replyType: string } ? Readable : ReplyOf<R> | ReadyJson

export type Handlers<Api extends Routes> = { readonly [Name in keyof Api]: (incoming: Incoming<Api[Name]>) => Promise<Answer<Api[Name]>> }

export type FindSession = (request: FastifyRequest, isUse: boolean) => Promise<CurrentSession | undefined>

/** Who calls, and who wants to know of a signed-in user that knocks at an admin's route. */
export interface Gate {
  readonly find: FindSession
  /** The owner of the UDF key in the path. @throws AppError unauthenticated, too-many. */
  readonly findByUdfKey?: (request: FastifyRequest) => Promise<KeySession>
  readonly idempotency?: Idempotency
  readonly onAdminRefused?: (session: CurrentSession, route: Route, request: FastifyRequest) => Promise<void>
}

export const bodyLimitBytesDefault = 16 * 1024

const sessions = new WeakMap<FastifyRequest, CurrentSession | KeySession>()

/** Registers every route of a feature; a contract without its handler does not compile. */
export function serve<const Api extends Routes>(app: FastifyInstance, routes: Api, handlers: Handlers<Api>, gate: Gate): void {
  for (const [name, route] of Object.entries(routes)) {
    const handle = handlers[name as keyof Api] as (incoming: Incoming<Route>) => Promise<unknown>
    app.route({
      method: route.method,
      url: rootPathOf(route),
      bodyLimit: route.bodyLimitBytes ?? bodyLimitBytesDefault,
      // A stream passes as it is; everything else passes the reply schema.
      ...(route.replyType === undefined ? { schema: { response: { [route.status ?? 200]: replySchema(route) } } } : {}),
      // On the route itself and before the body is read: no spelling of the address goes round it, and a stranger learns nothing of the rules.
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

/** Answers 405 with Allow on the known paths for all methods that the contract does not have there. */
export function refuseOtherMethods(app: FastifyInstance, api: Readonly<Record<string, Routes>>): void {
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
      // Without a body limit of its own a large body would answer 413 first; both are refusals.
      onRequest: (_request, reply, done) => {
        void reply.header('allow', [...methods].join(', '))
        done(new AppError('method-not-allowed', httpText.methodNotAllowed))
      },
      handler: () => undefined,
    })
  }
}

async function guard(route: Route, request: FastifyRequest, gate: Gate): Promise<void> {
  if (route.access === 'udf-key') {
    const owner = await gate.findByUdfKey?.(request)
    if (owner === undefined) throw new AppError('unauthenticated', udfKeysText.rejected, { code: 'udf.key-rejected' })
    sessions.set(request, owner)
    return
  }
  const session = await gate.find(request, route.isBackground !== true)
  const obstacle = findObstacle(route.access, session?.user)
  if (obstacle === 'sign-in') throw new AppError('unauthenticated', authText.sessionMissing, { code: 'auth.session-missing' })
  if (obstacle === 'premium') throw new AppError('forbidden', httpText.premiumRequired, { code: 'premium-required' })
  if (obstacle === 'password') throw new AppError('forbidden', privacyText.temporaryRefused, { code: 'auth.password-temporary' })
  if (obstacle === 'second-factor') throw new AppError('forbidden', factorsText.setUpFirst, { code: 'auth.second-factor-missing' })
  if (obstacle === 'consent') throw new AppError('forbidden', privacyText.consentRefused, { code: 'privacy.consent-withdrawn' })
  if (obstacle === 'admin') {
    if (session !== undefined) await gate.onAdminRefused?.(session, route, request)
    throw new AppError('forbidden', httpText.forbidden)
  }
  if (session !== undefined) sessions.set(request, session)
}

function parseInput(route: Route, request: FastifyRequest): { params: unknown; query: unknown; body: unknown } {
  refuseBrokenText([request.params, request.query, request.body])
  return {
    params: parse(route.params, request.params),
    query: parse(route.query, request.query),
    // An absent body counts as an empty form, so that the contract's own messages answer it.
    body: parse(route.body, request.body ?? (route.body instanceof z.ZodObject ? {} : undefined)),
  }
}

function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const fields = Object.fromEntries(
    parsed.error.issues.filter((issue) => issue.path.length > 0).map((issue) => [issue.path.join('.').slice(0, 80), issue.message]),
  )
  throw new AppError('invalid', httpText.badRequest, { fields })
}

/** The reply schema for Fastify's serializer: what it does not name cannot leave. */
function replySchema(route: Route): unknown {
  const { $schema: _, ...schema } = z.toJSONSchema(route.reply, { io: 'output', target: 'draft-7' })
  return schema
}
