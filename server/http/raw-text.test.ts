// Every route with an empty and an unusable body and query: answers are sentences of ours, never those of a library.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testApp, type Browser, type TestApp } from '#server/testing/app.ts'
import { api } from '#shared/api.ts'
import { english } from '#shared/messages/english.ts'
import { pathOf, type Route } from '#shared/http/route.ts'

const routes: [string, Route][] = Object.entries(api).flatMap(([feature, all]) =>
  Object.entries(all as Record<string, Route>).map(([name, route]): [string, Route] => [`${feature}.${name}`, route]),
)
const ended = new Set(['auth.signOut', 'auth.signOutByGet', 'privacy.eraseAccount'])
const library = /invalid input|expected|received|too (small|big)|unrecognized|zod|\bundefined\b|invalid option/i

let server: TestApp
let admin: Browser
beforeAll(async () => {
  server = await testApp()
  admin = await server.signedIn({ role: 'admin' })
})
afterAll(() => server.close())

const bodies = [
  {},
  [],
  'text',
  null,
  7,
  { email: {}, id: [], password: 1, price: {}, month: [], qrcodeUrl: 3, type: 'gold', status: 'x', items: 1 },
]

describe.each(routes.filter(([name]) => !ended.has(name)))('%s', (_, route) => {
  test('answers in words of ours', async () => {
    const path = pathOf(route, { params: { id: 'x', slug: 'eur-usd', key: 'x' } })
    for (const body of bodies) {
      const sent = route.method === 'GET' || route.method === 'DELETE' ? {} : { body }
      const answer = await admin.send({ method: route.method, path: `${path}?page=x&limit=-1&timeframe=9&from=no&to=no&action=x`, ...sent })
      expect(answer.statusCode).not.toBe(500)
      if (answer.statusCode < 400) continue
      const problem = answer.json<{ message: string; fields?: Record<string, string>; fieldCodes?: Record<string, { code: string }> }>()
      expect([problem.message, ...Object.values(problem.fields ?? {})].join('\n')).not.toMatch(library)
      expect(Object.values(problem.fieldCodes ?? {}).map(({ code }) => code)).not.toContain('http.invalidField')
    }
  })
})

test('the library has such words', () => {
  expect(api.plans.update.body.safeParse({}).error?.message).toMatch(library)
  expect(JSON.stringify(english)).not.toContain('Invalid input')
})

test.each([
  ['create-payment-info', 'POST', {}],
  ['create-payment-info', 'POST', { type: 'regular' }],
  ['create-payment-info', 'POST', { type: 'crypto', price: 10, month: 1 }],
] as const)('%s with %s %j says what the form says', async (path, method, body) => {
  const answer = await admin.send({ method, path: `/api/v1/admin/${path}`, body })
  expect([answer.statusCode, answer.json<{ message: string }>().message]).toEqual([400, 'All fields are required'])
})
