// The session cookie on http and https, and what is read from a request.
import cookiePlugin from '@fastify/cookie'
import fastify, { type FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { authServerText } from '#shared/auth/text/en.ts'
import { makeUser } from '#shared/testing/user.ts'
import { actorOf, callerOf, sessionOf, sessionCookie, type CurrentSession, type SessionSource } from './session.ts'

async function answerOf(isHttps: boolean, act: 'write' | 'clear') {
  const app = fastify()
  await app.register(cookiePlugin)
  const cookie = sessionCookie(isHttps)
  app.get('/', async (_request, reply) => {
    if (act === 'write') cookie.write(reply, 'secret')
    else cookie.clear(reply)
    return ''
  })
  const [set] = (await app.inject('/')).cookies
  return set
}

test.each([
  [false, 'tezi_session', undefined],
  [true, '__Host-tezi_session', true],
])('behind https (%s) the cookie is %s', async (isHttps, name, secure) => {
  const common = { name, path: '/', httpOnly: true, sameSite: 'Lax' }
  const written = await answerOf(isHttps, 'write')
  expect(written).toMatchObject({ ...common, value: 'secret', maxAge: 30 * 24 * 60 * 60 })
  expect(written?.['secure']).toBe(secure)
  const cleared = await answerOf(isHttps, 'clear')
  expect(cleared).toMatchObject({ ...common, value: '', maxAge: 0 })
  const cookies = { tezi_session: 'plain', '__Host-tezi_session': 'host' }
  expect(sessionCookie(isHttps).read({ cookies })).toBe(isHttps ? 'host' : 'plain')
})

test.each([
  ['token', 'token'],
  [['one', 'two'], undefined],
  [undefined, undefined],
])('the header %j is the token %j', async (header, token) => {
  const session = {} as CurrentSession
  const asked: unknown[] = []
  const findCurrent: SessionSource['findCurrent'] = (...given) => {
    asked.push(given)
    return Promise.resolve(session)
  }
  const request = { headers: { 'session-token': header }, cookies: { tezi_session: 'plain' } } as unknown as FastifyRequest
  expect(await sessionOf(request, sessionCookie(false), { findCurrent, isSurplus: () => Promise.resolve(false) }, false)).toBe(session)
  expect(asked).toEqual([['plain', token, false]])
})

test.each([
  ['no session and none ended for another', undefined, false, undefined],
  ['a session', {} as CurrentSession, true, {}],
] as const)('%s is what it is', async (_, session, isSurplus, found) => {
  const source = { findCurrent: () => Promise.resolve(session), isSurplus: () => Promise.resolve(isSurplus) }
  const request = { headers: {}, cookies: { tezi_session: 'plain' } } as unknown as FastifyRequest
  expect(await sessionOf(request, sessionCookie(false), source, true)).toEqual(found)
})

test('a session that ended because of newer ones is rejected with the reason', async () => {
  const asked: unknown[] = []
  const source = {
    findCurrent: () => Promise.resolve(undefined),
    isSurplus: (cookie: string | undefined) => {
      asked.push(cookie)
      return Promise.resolve(true)
    },
  }
  const request = { headers: {}, cookies: { tezi_session: 'plain' } } as unknown as FastifyRequest
  await expect(sessionOf(request, sessionCookie(false), source, true)).rejects.toMatchObject({
    kind: 'unauthenticated',
    message: authServerText.sessionReplaced,
    wireMessage: { code: 'auth.sessionReplaced' },
  })
  expect(asked).toEqual(['plain'])
})

test('the actor of a request is its user with its session and the key of its address', () => {
  const session: CurrentSession = { id: 'session', confirmedAtMs: 0, user: makeUser('free', { email: 'asha@example.in' }) }
  const request = { ip: '2001:db8::1', headers: {} } as unknown as FastifyRequest
  expect(actorOf({ session, request })).toEqual({
    id: session.user._id,
    email: 'asha@example.in',
    address: '2001:db8:0:0::/64',
    sessionId: 'session',
    confirmedAtMs: 0,
  })
})

test.each([
  [undefined, ''],
  ['Firefox/140 (X11)', 'Firefox/140 (X11)'],
  ['a\u0000b\u00e9\u007fc ~', 'abc ~'],
  ['x'.repeat(201), 'x'.repeat(200)],
  [`é${'x'.repeat(200)}y`, 'x'.repeat(200)],
])('the browser %j is kept as %j', (userAgent, kept) => {
  const request = { ip: '2001:db8::1', headers: { 'user-agent': userAgent } } as unknown as FastifyRequest
  expect(callerOf(request)).toEqual({ address: '2001:db8:0:0::/64', userAgent: kept })
})
