// The guard and the parsing of routes, on a Fastify without a database: access, input, and output.
import { Readable } from 'node:stream'
import fastify, { type InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { route } from '#shared/http/route.ts'
import { authServerText } from '#shared/auth/text/en.ts'
import { factorsText } from '#shared/factors/text/en.ts'
import { httpServerText } from '#shared/http/text/en.ts'
import { privacyText } from '#shared/privacy/text/en.ts'
import type { User } from '#shared/users/user.ts'
import { idOf, makeUser } from '#shared/testing/user.ts'
import { handleError } from './handle-error.ts'
import { bodyLimitBytesDefault, preserializedJson, rejectInvalidUnicode, rejectOtherMethods, serve, type ServeOptions } from './serve.ts'
import type { CurrentSession } from './session.ts'

const reply = z.object({ user: z.string().nullable() })
const read = { method: 'GET', summary: '', reply } as const

const routes = {
  anyone: route({ ...read, path: '/anyone', access: 'anyone' }),
  signedIn: route({ ...read, path: '/signed-in', access: 'signed-in' }),
  background: route({ ...read, path: '/background', access: 'signed-in', isBackground: true }),
  premium: route({ ...read, path: '/premium', access: 'premium' }),
  admin: route({ ...read, path: '/admin', access: 'admin' }),
  echo: route({
    method: 'POST',
    path: '/echo/:id',
    access: 'anyone',
    summary: '',
    params: z.object({ id: z.string().max(3) }),
    query: z.object({ page: z.string().regex(/^\d+$/).optional() }),
    body: z.object({
      name: z.string().default('none'),
      tags: z.array(z.string()).default([]),
      notes: z.record(z.string(), z.string()).optional(),
    }),
    reply: z.object({ id: z.string(), page: z.string().optional(), name: z.string(), tags: z.array(z.string()) }),
    status: 201,
  }),
  optionalBody: route({
    method: 'PUT',
    path: '/optional',
    access: 'anyone',
    summary: '',
    body: z.object({}).optional(),
    reply: z.object({ isAbsent: z.boolean() }),
  }),
  large: route({
    method: 'POST',
    path: '/large',
    access: 'anyone',
    summary: '',
    body: z.object({ text: z.string() }),
    bodyLimitBytes: 2 * bodyLimitBytesDefault,
    reply,
  }),
  table: route({ ...read, path: '/table', access: 'anyone', reply: z.string(), replyType: 'text/csv; charset=utf-8' }),
  ready: route({ ...read, path: '/ready', access: 'anyone' }),
  once: route({ method: 'DELETE', path: '/signed-in', access: 'signed-in', summary: '', reply }),
}

const users: Readonly<Record<string, User>> = {
  free: makeUser('free'),
  premium: makeUser('premium'),
  temporary: makeUser('premium', { mustChangePassword: true }),
  withdrawn: makeUser('premium', { consent: 'withdrawn' }),
  unfinished: makeUser('admin', { mustAddSecondFactor: true }),
  admin: makeUser('admin'),
}

const userId = idOf(1)
const uses: boolean[] = []
const refused: unknown[] = []
const onceCalls: unknown[] = []

const sessionOf = (name: unknown): CurrentSession | undefined => {
  const user = typeof name === 'string' ? users[name] : undefined
  return user === undefined ? undefined : { id: `session of ${String(name)}`, confirmedAtMs: 0, user }
}

const serveOptions: ServeOptions = {
  findSession(request, isUse) {
    uses.push(isUse)
    return Promise.resolve(sessionOf(request.headers['x-caller']))
  },
  onAdminRejected(session, { path }) {
    refused.push([session.id, path])
    return Promise.resolve()
  },
  idempotency: {
    once(route, _request, userId, run) {
      onceCalls.push([route.path, userId])
      return run()
    },
    sweep: () => Promise.resolve(),
  },
}

const app = fastify({ exposeHeadRoutes: false })
let runs = 0
const userIdOf = ({ session }: { session: Pick<CurrentSession, 'user'> | undefined }) => {
  runs += 1
  return Promise.resolve({ user: session?.user._id ?? null, secret: 'x' })
}

beforeAll(() => {
  app.setErrorHandler(handleError)
  serve(
    app,
    routes,
    {
      anyone: userIdOf,
      signedIn: userIdOf,
      background: userIdOf,
      premium: userIdOf,
      admin: userIdOf,
      echo: ({ params, query, body }) => Promise.resolve({ ...params, ...query, ...body }),
      optionalBody: ({ body }) => Promise.resolve({ isAbsent: body === undefined }),
      large: () => Promise.resolve({ user: null }),
      table: () => Promise.resolve(Readable.from(['a,b'])),
      ready: () => Promise.resolve(preserializedJson('{"user":"kept","secret":"x"}')),
      once: userIdOf,
    },
    serveOptions,
  )
  rejectOtherMethods(app, { routes })
})
afterAll(() => app.close())

function call(url: string, options: InjectOptions & { caller?: string } = {}) {
  const { caller, headers, ...rest } = options
  return app.inject({
    method: 'GET',
    url: `/api/v1${url}`,
    headers: { ...headers, ...(caller === undefined ? {} : { 'x-caller': caller }) },
    ...rest,
  })
}

test.each([
  ['signed-in', undefined, 401, 'auth.sessionMissing', authServerText.sessionMissing],
  ['premium', undefined, 401, 'auth.sessionMissing', authServerText.sessionMissing],
  ['admin', undefined, 401, 'auth.sessionMissing', authServerText.sessionMissing],
  ['premium', 'free', 403, 'http.premiumRequired', httpServerText.premiumRequired],
  ['premium', 'temporary', 403, 'privacy.temporaryRejected', privacyText.temporaryRejected],
  ['premium', 'withdrawn', 403, 'privacy.consentRejected', privacyText.consentRejected],
  ['admin', 'unfinished', 403, 'factors.setUpFirst', factorsText.setUpFirst],
  ['admin', 'free', 403, 'http.forbidden', httpServerText.forbidden],
  ['admin', 'premium', 403, 'http.forbidden', httpServerText.forbidden],
] as const)('/%s as %s is rejected with %i %s', async (path, caller, status, code, message) => {
  const answer = await call(`/${path}`, caller === undefined ? {} : { caller })
  expect(answer.statusCode).toBe(status)
  expect(answer.json()).toMatchObject({ success: false, code, message })
})

test.each([
  ['anyone', undefined, null],
  // No lookup on an open route.
  ['anyone', 'free', null],
  ['signed-in', 'free', userId],
  ['signed-in', 'temporary', userId],
  ['premium', 'premium', userId],
  ['premium', 'admin', userId],
  ['admin', 'admin', userId],
] as const)('/%s as %s passes, and only declared fields are returned', async (path, caller, user) => {
  const answer = await call(`/${path}`, caller === undefined ? {} : { caller })
  expect([answer.statusCode, answer.json()]).toEqual([200, { user }])
})

test('a denied admin route is reported with the session, and without one it is not', async () => {
  refused.length = 0
  await call('/admin')
  await call('/admin', { caller: 'admin' })
  await call('/premium', { caller: 'free' })
  expect(refused).toEqual([])
  await call('/admin', { caller: 'premium' })
  expect(refused).toEqual([['session of premium', '/admin']])
})

test('a route works without a listener for rejections and without idempotency', async () => {
  const bare = fastify()
  bare.setErrorHandler(handleError)
  const { admin, signedIn } = routes
  serve(bare, { admin, signedIn }, { admin: userIdOf, signedIn: userIdOf }, { findSession: () => Promise.resolve(sessionOf('free')) })
  expect((await bare.inject('/api/v1/admin')).json()).toMatchObject({ code: 'http.forbidden' })
  expect((await bare.inject('/api/v1/signed-in')).json()).toEqual({ user: userId })
})

test('a background route does not count as use of the session', async () => {
  uses.length = 0
  await call('/background', { caller: 'free' })
  await call('/signed-in', { caller: 'free' })
  await call('/anyone', { caller: 'free' })
  expect(uses).toEqual([false, true])
})

test('a call passes idempotency with its route and its user, and runs once', async () => {
  onceCalls.length = 0
  runs = 0
  await call('/anyone')
  const answer = await call('/signed-in', { method: 'DELETE', caller: 'free' })
  expect(answer.json()).toEqual({ user: userId })
  expect(runs).toBe(2)
  expect(onceCalls).toEqual([
    ['/anyone', undefined],
    ['/signed-in', userId],
  ])
})

test('the guard responds before the input is read', async () => {
  const broken = { payload: '{', headers: { 'content-type': 'application/json' } } as const
  expect((await call('/signed-in', { method: 'DELETE', ...broken })).statusCode).toBe(401)
  expect((await call('/signed-in', { method: 'DELETE', caller: 'free', ...broken })).statusCode).toBe(400)
})

test.each([
  ['/echo/abcd', {}, { id: expect.any(String) }],
  ['/echo/a?page=x', {}, { page: expect.any(String) }],
  ['/echo/a?page=1&page=2', {}, { page: expect.any(String) }],
  ['/echo/a', { name: 1 }, { name: expect.any(String) }],
  ['/echo/a', { tags: ['a', 1] }, { 'tags.1': expect.any(String) }],
  // The name of a field is truncated to 80 characters.
  ['/echo/a', { notes: { ['x'.repeat(100)]: 1 } }, { [`notes.${'x'.repeat(74)}`]: expect.any(String) }],
  ['/echo/a', ['a'], undefined],
])('%s with %j is rejected on its fields', async (url, payload, fields) => {
  const answer = await call(url, { method: 'POST', payload })
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ code: 'http.badRequest', message: httpServerText.badRequest })
  expect(answer.json<{ fields?: object }>().fields ?? {}).toEqual(fields ?? {})
})

test.each([
  ['the path', '/echo/%00', {}],
  ['the query', '/echo/a?page=%00', {}],
  ['the body', '/echo/a', { name: '\u0000' }],
])('NUL in %s is rejected without a field', async (_name, url, payload) => {
  const answer = await call(url, { method: 'POST', payload })
  expect([answer.statusCode, answer.json().fields]).toEqual([400, undefined])
})

test('input is parsed by the contract, which also sets the status', async () => {
  const answer = await call('/echo/abc?page=2&more=1', { method: 'POST', payload: { name: 'x', tags: ['a'], more: 1 } })
  expect([answer.statusCode, answer.json()]).toEqual([201, { id: 'abc', page: '2', name: 'x', tags: ['a'] }])
})

test('a missing body is an empty form if the route takes a form, and missing if it is optional', async () => {
  expect((await call('/echo/a', { method: 'POST' })).json()).toEqual({ id: 'a', name: 'none', tags: [] })
  expect((await call('/optional', { method: 'PUT' })).json()).toEqual({ isAbsent: true })
  expect((await call('/optional', { method: 'PUT', payload: {} })).json()).toEqual({ isAbsent: false })
})

test('a body is limited to 16 KiB, or to the limit of its route', async () => {
  expect(bodyLimitBytesDefault).toBe(16 * 1024)
  const send = (url: string, bytes: number) =>
    call(url, {
      method: 'POST',
      payload: JSON.stringify({ text: 'x'.repeat(bytes - 11) }),
      headers: { 'content-type': 'application/json' },
    })
  expect((await send('/echo/a', bodyLimitBytesDefault + 1)).statusCode).toBe(413)
  expect((await send('/large', 2 * bodyLimitBytesDefault + 1)).statusCode).toBe(413)
  expect((await send('/echo/a', bodyLimitBytesDefault)).statusCode).toBe(201)
  expect((await send('/large', 2 * bodyLimitBytesDefault)).statusCode).toBe(200)
})

test('a stream is sent with its media type, and preserialized text unchanged', async () => {
  const table = await call('/table')
  expect([table.statusCode, table.headers['content-type'], table.body]).toEqual([200, 'text/csv; charset=utf-8', 'a,b'])
  const ready = await call('/ready')
  expect([ready.headers['content-type'], ready.body]).toEqual(['application/json; charset=utf-8', '{"user":"kept","secret":"x"}'])
})

test.each(['POST', 'PUT', 'PATCH', 'OPTIONS'] as const)('%s on a path of other methods is rejected and lists them', async (method) => {
  const answer = await call('/signed-in', { method })
  expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'GET, DELETE'])
  expect(answer.json()).toMatchObject({ code: 'http.methodNotAllowed', message: httpServerText.methodNotAllowed })
})

test('all undefined methods of a path are rejected', async () => {
  for (const method of ['HEAD', 'GET', 'POST', 'DELETE', 'PATCH', 'OPTIONS'] as const)
    expect((await call('/optional', { method })).statusCode).toBe(405)
})

test.each([
  ['NUL', 'a\u0000b'],
  ['a lone high surrogate', 'a\ud83d'],
  ['a lone low surrogate', '\ude00a'],
  ['a broken string in an array', ['a', ['b', '\u0000']]],
  ['a broken string in an object', { a: 1, b: { c: '\u0000' } }],
  ['a broken key', { a: { '\u0000': 1 } }],
  ['a broken string after values of other types', [null, 1, true, undefined, '\ud83d']],
])('rejectInvalidUnicode rejects %s', (_name, value) => {
  expect(() => rejectInvalidUnicode(value)).toThrow(expect.objectContaining({ kind: 'invalid', message: httpServerText.badRequest }))
})

test.each([
  ['ordinary text', 'आशा 😀'],
  ['other control characters', 'a\nb\u0001'],
  ['values that are not text', [null, 1, true, undefined, {}, []]],
])('rejectInvalidUnicode accepts %s', (_name, value) => {
  expect(() => rejectInvalidUnicode(value)).not.toThrow()
})

test('rejectInvalidUnicode does not exhaust the stack with depth', () => {
  let value: unknown = '\u0000'
  for (let depth = 0; depth < 200_000; depth += 1) value = [value]
  expect(() => rejectInvalidUnicode(value)).toThrow(expect.objectContaining({ kind: 'invalid' }))
})
