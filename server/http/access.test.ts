// Every route of the contract with every kind of caller, generated from the contract, so that no new route is missed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { premiumColumns, startMs, testApp, type Browser, type TestApp } from '#server/testing/app.ts'
import { api } from '#shared/api.ts'
import { pathOf, type Access, type Route } from '#shared/http/route.ts'

const routes: [string, Route][] = Object.entries(api).flatMap(([feature, all]) =>
  Object.entries(all as Record<string, Route>).map(([name, route]): [string, Route] => [`${feature}.${name}`, route]),
)

const people = {
  visitor: undefined,
  forged: undefined,
  free: {},
  premium: premiumColumns,
  expired: { ...premiumColumns, premium_end: new Date(startMs - 1) },
  suspended: { ...premiumColumns, status: 'cancel' },
  admin: { role: 'admin' },
} as const

type Person = keyof typeof people

/** The status of the guard, or 'pass'. Written by hand, because this table is the policy. */
const expected: Record<Access, Record<Person, 401 | 403 | 'pass'>> = {
  anyone: { visitor: 'pass', forged: 'pass', free: 'pass', premium: 'pass', expired: 'pass', suspended: 'pass', admin: 'pass' },
  'signed-in': { visitor: 401, forged: 401, free: 'pass', premium: 'pass', expired: 'pass', suspended: 'pass', admin: 'pass' },
  premium: { visitor: 401, forged: 401, free: 403, premium: 'pass', expired: 403, suspended: 403, admin: 'pass' },
  admin: { visitor: 401, forged: 401, free: 403, premium: 403, expired: 403, suspended: 403, admin: 'pass' },
}

let server: TestApp
const browsers = new Map<Person, Browser>()

beforeAll(async () => {
  server = await testApp()
  for (const [person, values] of Object.entries(people)) browsers.set(person as Person, await browserOf(values))
})
afterAll(() => server.close())

async function browserOf(values: (typeof people)[Person]): Promise<Browser> {
  const browser = server.browser()
  if (values === undefined) return browser
  const { email } = await server.addUser(values)
  await browser.signIn(email)
  return browser
}

/** Calls with invalid input, so that validation before the guard would return 400. */
function callWithNonsense(person: Person, route: Route, path = pathOf(route, { params: { id: 'x', slug: 'eur-usd' } })) {
  const headers: Record<string, string> =
    person === 'forged' ? { 'session-token': 'A'.repeat(43), cookie: `tezi_session=${'B'.repeat(43)}` } : {}
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE'
  return browsers.get(person)?.send({ method: route.method, path, headers, ...(hasBody ? { body: { nonsense: [1, 2] } } : {}) })
}

describe.each(routes)('%s', (name, route) => {
  test.each(Object.keys(people) as Person[])('as %s', async (person) => {
    // Sign-out would end the session that the other rows need; it has its own tests.
    if (name.startsWith('auth.signOut') && expected[route.access][person] === 'pass') return
    const answer = await callWithNonsense(person, route)
    const want = expected[route.access][person]
    if (want === 'pass') {
      // The only free instrument of this access level; the locked ones have their own test.
      // Passkey options return 401 for an expired sign-in challenge.
      if (!['chart.config', 'marketData.candles', 'workspace.drawings', 'factors.passkeyOptions'].includes(name))
        expect([401, 403]).not.toContain(answer?.statusCode)
    } else {
      expect(answer?.statusCode).toBe(want)
    }
  })
})

test('no spelling of an admin path bypasses its guard', async () => {
  const spellings = [
    '/api/v1/%61dmin/getOnlineUsers',
    '/api/v1/admin/%67etOnlineUsers',
    '/api/v1//admin/getOnlineUsers',
    '/api/v1/./admin/getOnlineUsers',
    '/api/v1/user/../admin/getOnlineUsers',
    '/api/v1/admin/getOnlineUsers/',
    '/api/v1/admin/getOnlineUsers;x=1',
    '/api/v1/ADMIN/GETONLINEUSERS',
    '/api/v1/admin%2fgetOnlineUsers',
    '/api/v1/admin/getOnlineUsers%00',
    '/api/v1/admin/getOnlineUsers%20',
    '/API/v1/admin/getOnlineUsers',
    '/api/v1/admin/getOnlineUsers?role=admin',
  ]
  const overrides = {
    'x-http-method-override': 'GET',
    'x-original-url': '/api/v1/admin/getOnlineUsers',
    'x-rewrite-url': '/api/v1/admin/getOnlineUsers',
  }
  for (const path of spellings) {
    for (const person of ['visitor', 'free'] as const) {
      const answer = await browsers.get(person)?.send({ method: 'GET', path, headers: overrides })
      expect([400, 401, 403, 404]).toContain(answer?.statusCode)
      expect(answer?.body).not.toContain('onlineUsers')
    }
  }
})

test('a locked instrument is denied without premium, under every spelling; the free one is open', async () => {
  for (const person of ['free', 'expired', 'suspended'] as const) {
    for (const slug of ['eur-usd', '%65ur-usd', 'banknifty', 'reliance']) {
      const answer = await browsers.get(person)?.send({ method: 'GET', path: `/api/v1/market/charts/${slug}` })
      expect(answer?.statusCode).toBe(403)
      expect(answer?.json()).toMatchObject({ code: 'http.premiumRequired', message: 'Premium user required' })
    }
    for (const path of ['/api/v1/market/candles/eur-usd', '/api/v1/market/candles/%65ur-usd?timeframe=1D']) {
      const answer = await browsers.get(person)?.send({ method: 'GET', path })
      expect({ path, statusCode: answer?.statusCode }).toEqual({ path, statusCode: 403 })
      expect(answer?.json()).toMatchObject({ code: 'http.premiumRequired' })
    }
    const other = await browsers.get(person)?.client.chart.config({ params: { slug: 'nifty50' } })
    expect(other?.data.slug).toBe('nifty50')
    const free = await browsers.get(person)?.client.chart.config({ params: { slug: 'nifty' } })
    expect(free?.data).toMatchObject({ slug: 'nifty', studies: [] })
  }
  for (const person of ['premium', 'admin'] as const) {
    expect((await browsers.get(person)?.client.chart.config({ params: { slug: 'eur-usd' } }))?.data.symbol).toContain('EURUSD')
    await expect(browsers.get(person)?.client.chart.config({ params: { slug: 'no-such' } })).rejects.toMatchObject({ status: 404 })
  }
})

test('known paths return 405 for other methods and list the allowed ones', async () => {
  const answer = await server.browser().send({ method: 'PUT', path: '/api/v1/auth/sign-in', body: {} })
  expect(answer.statusCode).toBe(405)
  expect(answer.headers.allow).toBe('POST')
})
