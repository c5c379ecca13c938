// The session cookie on http and https, and what is read from a request.
import cookiePlugin from '@fastify/cookie'
import fastify, { type FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import type { CurrentSession } from './request-actor.ts'
import { callerOf, findSession, sessionCookie, type SessionSource } from './session.ts'

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
  const findCurrent: SessionSource['sessions']['findCurrent'] = (...given) => {
    asked.push(given)
    return Promise.resolve(session)
  }
  const request = { headers: { 'session-token': header }, cookies: { tezi_session: 'plain' } } as unknown as FastifyRequest
  expect(
    await findSession(request, sessionCookie(false), { sessions: { findCurrent }, isSurplus: () => Promise.resolve(false) }, false),
  ).toBe(session)
  expect(asked).toEqual([['plain', token, false]])
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
