// The fake server enforces the contract and records violations.
import { beforeEach, expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import { idOf, makeUser } from '#shared/testing/user.ts'
import { anySentence, FakeServer } from './fake-server.ts'

let server: FakeServer
beforeEach(() => {
  server = new FakeServer()
})

function call(method: string, path: string, body?: unknown, token = ''): Promise<Response> {
  return server.fetch(path, {
    method,
    headers: { 'session-token': token },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

test.each([
  ['GET', '/api/v1/no-such-route', 'is no route of the contract'],
  ['GET', 'https://elsewhere.example/api/v1/user', 'is no route of the contract'],
  ['GET', '/api/v1/user/sessions', 'sessions.list was called and no test answers it'],
])('%s %s is a problem', async (method, path, problem) => {
  expect((await call(method, path)).status).toBe(500)
  expect(server.problems).toEqual([expect.stringContaining(problem)])
})

test('a call that breaks the contract is a problem, and no handler sees it', async () => {
  server.on(api.sessions.end, () => ({ success: true, message: 'Session ended' }))
  expect((await call('DELETE', '/api/v1/user/sessions/not-an-id')).status).toBe(400)
  expect(server.calls(api.sessions.end)).toEqual([])
  expect(server.problems).toEqual([expect.stringContaining('the params of a call of sessions.end')])
})

test('a reply that breaks the contract is a problem', async () => {
  server.on(api.auth.signUp, () => ({ success: true }) as never)
  expect((await call('POST', '/api/v1/auth/sign-up', {})).status).toBe(500)
  expect(server.problems).toEqual([expect.stringContaining('the reply of auth.signUp breaks the contract')])
})

test('an error status that the contract does not list is a problem', async () => {
  server.reject(api.auth.signIn, new AppError('conflict', anySentence('Of the server')))
  expect((await call('POST', '/api/v1/auth/sign-in', {})).status).toBe(500)
  expect(server.problems).toEqual(['auth.signIn does not refuse with 409 by the contract'])
})

test('a handler that fails is a problem', async () => {
  server.on(api.auth.signIn, () => {
    throw new Error('a mistake of the test')
  })
  await call('POST', '/api/v1/auth/sign-in', {})
  expect(server.problems).toEqual(['the handler of auth.signIn failed: Error: a mistake of the test'])
})

test("access control works as in the real server, and only the user's session token is accepted", async () => {
  server.on(api.users.me, () => makeUser('free'))
  server.on(api.admin.overview, () => ({ success: true, data: { users: 1, premium: 0, pending: 0, expiringIn7Days: 0, revenue: [] } }))
  expect((await call('GET', '/api/v1/user')).status).toBe(401)
  const token = server.startSession(makeUser('free'))
  expect((await call('GET', '/api/v1/user', undefined, 'another')).status).toBe(401)
  expect((await call('GET', '/api/v1/user', undefined, token)).status).toBe(200)
  expect((await call('GET', '/api/v1/admin/overview', undefined, token)).status).toBe(403)
  server.endSession()
  expect((await call('GET', '/api/v1/user', undefined, token)).status).toBe(401)
  expect(server.problems).toEqual([])
})

test('a call is parsed by the contract, recorded and answered; an error has the format of the wire', async () => {
  const token = server.startSession(makeUser('admin'))
  server.on(api.admin.users, ({ query, replyHeaders }) => {
    replyHeaders.set('x-total-count', '40')
    return query.page === 2 ? [makeUser('free', { _id: idOf(7) })] : []
  })
  const answer = await call('GET', '/api/v1/admin?page=2&perPage=13', undefined, token)
  expect(await answer.json()).toMatchObject([{ _id: idOf(7) }])
  expect(answer.headers.get('x-total-count')).toBe('40')
  expect(server.calls(api.admin.users)).toMatchObject([{ query: { page: 2, perPage: 13 } }])
  server.reject(api.admin.users, new AppError('invalid', anySentence('No'), { fields: { search: anySentence('Too long') } }))
  const refused = await call('GET', '/api/v1/admin', undefined, token)
  expect([refused.status, await refused.json()]).toEqual([
    400,
    {
      success: false,
      message: 'No',
      error: 'No',
      code: 'http.invalidField',
      params: ['No'],
      statuscode: 400,
      fields: { search: 'Too long' },
      fieldCodes: { search: { code: 'http.invalidField', params: ['Too long'] } },
    },
  ])
})

test('a fixed path wins over a parameter', async () => {
  const token = server.startSession(makeUser('admin'))
  server.on(api.plans.lastChange, () => ({ success: true, data: null }))
  expect((await call('GET', '/api/v1/admin/payment-info/last-change', undefined, token)).status).toBe(200)
})

test('a lost connection rejects, a raw response is passed on, a held one waits', async () => {
  server.disconnect(api.auth.signIn)
  await expect(call('POST', '/api/v1/auth/sign-in', {})).rejects.toThrow('Failed to fetch')
  server.answerRaw(api.auth.signIn, { status: 502, text: '<html>Bad gateway</html>' })
  expect(await (await call('POST', '/api/v1/auth/sign-in', {})).text()).toBe('<html>Bad gateway</html>')
  const release = server.hold(api.auth.signIn)
  let isAnswered = false
  const held = call('POST', '/api/v1/auth/sign-in', {}).then(() => (isAnswered = true))
  await new Promise((resolve) => setImmediate(resolve))
  expect(isAnswered).toBe(false)
  release()
  await held
  expect(isAnswered).toBe(true)
  server.reset()
  expect(server.calls(api.auth.signIn)).toEqual([])
})
