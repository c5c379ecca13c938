// The HTTP surface: common headers, foreign origins, media types, sizes, odd input, pages and files.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReadinessReport } from '#server/http/readiness.ts'
import { readableLine } from '#server/logs.ts'
import { testApp, testPassword, type Browser, type TestApp } from '#server/testing/app.ts'

let server: TestApp
let browser: Browser
const webRoot = mkdtempSync(path.join(tmpdir(), 'tezi-web-'))

beforeAll(async () => {
  mkdirSync(path.join(webRoot, 'assets'))
  writeFileSync(
    path.join(webRoot, 'index.html'),
    '<!doctype html><title>{{brandName}} · Live charts</title><script type="application/json" id="site">{}</script><div id="root"></div>',
  )
  writeFileSync(path.join(webRoot, 'assets/app-1a2b.js'), 'export {}')
  writeFileSync(path.join(webRoot, 'robots.txt'), 'User-agent: *')
  writeFileSync(path.join(webRoot, '.env'), 'SECRET=1')
  server = await testApp({ webRoot, site: { brandName: 'A </script><b>' } })
  browser = await server.signedIn()
})
afterAll(async () => {
  await server.close()
  rmSync(webRoot, { recursive: true })
})

const common = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': expect.stringMatching(/max-age=(31536000|\d{9,})/) as string,
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': expect.stringContaining('camera=()') as string,
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

test.each([
  ['a page', 'GET', '/', 200],
  ['an unknown page', 'GET', '/no-such-page', 404],
  ['the removed datafeed', 'GET', '/udf/config', 404],
  ['an address with a removed key', 'GET', '/udf/k/tezi_udf_Ab3-/history?symbol=NIFTY&resolution=1&to=1', 404],
  ['an asset', 'GET', '/assets/app-1a2b.js', 200],
  ['a missing asset', 'GET', '/assets/none.js', 404],
  ['the robots file', 'GET', '/robots.txt', 200],
  ['a dot file', 'GET', '/.env', 404],
  ['an unknown call', 'GET', '/api/v1/nothing', 404],
  ['a denied call', 'GET', '/api/v1/user', 401],
  ['a method that is not allowed', 'DELETE', '/api/v1/user', 405],
  ['a bad address', 'GET', '/api/v1/market/charts/%ff', 400],
  ['health', 'GET', '/healthz', 200],
  ['readiness', 'GET', '/readyz', 200],
  ['the document', 'GET', '/api/v1/openapi.json', 200],
  ['the reading page', 'GET', '/api/v1/docs', 200],
])('%s carries the common headers', async (_, method, url, status) => {
  const answer = await server.browser().send({ method, path: url })
  expect(answer.statusCode).toBe(status)
  expect(answer.headers).toMatchObject(common)
  expect(answer.headers).not.toHaveProperty('x-powered-by')
  expect(answer.headers).not.toHaveProperty('server')
  if (url.startsWith('/api/')) expect(answer.headers['cache-control']).toBe('no-store')
})

test('a page forbids foreign and inline scripts, framing, and all frames except the chart', async () => {
  const policy = String((await server.browser().send({ method: 'GET', path: '/login' })).headers['content-security-policy'])
  const directives = new Map(policy.split('; ').map((line) => [line.split(' ')[0], line.split(' ').slice(1).join(' ')]))
  expect(directives.get('default-src')).toBe("'none'")
  expect(directives.get('script-src')).toBe("'self'")
  expect(directives.get('style-src')).toBe("'self'")
  expect(directives.get('object-src')).toBe("'none'")
  expect(directives.get('base-uri')).toBe("'none'")
  expect(directives.get('frame-ancestors')).toBe("'none'")
  expect(directives.get('form-action')).toBe("'self'")
  expect(directives.get('frame-src')).toBe('https://www.tradingview-widget.com https://s.tradingview.com https://www.tradingview.com')
})

test('only the script mount allows the script of the chart provider', async () => {
  const scripted = await testApp({ webRoot, site: { tradingViewMount: 'script' } })
  const policy = (await scripted.browser().send({ method: 'GET', path: '/' })).headers['content-security-policy']
  expect(policy).toContain("script-src 'self' https://s3.tradingview.com;")
  await scripted.close()
})

test('the configured names are on the page and cannot break out of it', async () => {
  const { body } = await server.browser().send({ method: 'GET', path: '/' })
  expect(body).toContain(String.raw`{"brandName":"A \u003c/script>\u003cb>"`)
  expect(body).toContain('<title>A &#60;/script&#62;&#60;b&#62; · Live charts</title>')
})

test.each([
  '/../package.json',
  '/..%2fpackage.json',
  '/assets/../../index.html',
  '/assets/..%2f..%2fserver%2fmain.ts',
  '/assets/%2e%2e/index.html',
  '/server/main.ts',
  '/.git/config',
  '/assets/app-1a2b.js.map',
  '/index.html.br',
  '/package.json',
])('%s returns no file', async (url) => {
  const answer = await server.browser().send({ method: 'GET', path: url })
  expect([400, 403, 404]).toContain(answer.statusCode)
  expect(answer.body).not.toContain('SECRET')
  expect(answer.headers['content-type']).toContain('application/json')
})

test('a path with the name of an internal folder is an unknown page', async () => {
  const answer = await server.browser().send({ method: 'GET', path: '/data/engine' })
  expect(answer.statusCode).toBe(404)
  expect(answer.body).toContain('<div id="root">')
})

const foreign = [
  'https://evil.example',
  'null',
  'http://localhost.evil.example',
  'http://localhost:81',
  'file://',
  'https://localhost@evil.example',
  '://',
]
test.each(foreign)('a state change from %s is rejected and CORS never allows it', async (origin) => {
  const before = await server.database.db.selectFrom('sessions').selectAll().execute()
  for (const call of [
    { method: 'POST', path: '/api/v1/auth/sign-in', body: { email: 'a@b.in', password: testPassword } },
    { method: 'POST', path: '/api/v1/auth/sign-out', body: {} },
    { method: 'POST', path: '/api/v1/auth/sign-up', body: {} },
    { method: 'OPTIONS', path: '/api/v1/auth/sign-in', headers: { 'access-control-request-method': 'POST' } },
  ]) {
    const answer = await browser.send({ ...call, headers: { ...call.headers, origin, host: 'localhost' } })
    expect(answer.statusCode).toBe(call.method === 'OPTIONS' ? 405 : 403)
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  }
  expect(await server.database.db.selectFrom('sessions').selectAll().execute()).toEqual(before)
})

test.each(['cross-site', 'same-site'])('a state change that the browser marks as %s is rejected', async (site) => {
  const answer = await browser.send({ method: 'POST', path: '/api/v1/auth/sign-out', body: {}, headers: { 'sec-fetch-site': site } })
  expect(answer.statusCode).toBe(403)
  expect((await browser.client.users.me()).name).toBe('Asha Rao')
})

test('our own origin is accepted, and only the configured one if it is set', async () => {
  const own = await browser.send({
    method: 'POST',
    path: '/api/v1/auth/sign-in',
    body: {},
    headers: { origin: 'http://localhost:3000', host: 'localhost:3000', 'sec-fetch-site': 'same-origin' },
  })
  expect(own.statusCode).toBe(400)
  const configured = await testApp({ publicOrigin: 'https://tezi.example' })
  const status = async (origin: string) =>
    (
      await configured
        .browser()
        .send({ method: 'POST', path: '/api/v1/auth/sign-in', body: {}, headers: { origin, host: 'other.example' } })
    ).statusCode
  expect([await status('https://tezi.example'), await status('https://other.example'), await status('http://tezi.example')]).toEqual([
    400, 403, 403,
  ])
  await configured.close()
})

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/xml',
])('%s cannot change anything', async (type) => {
  const payload = JSON.stringify({ email: 'a@b.in', password: testPassword })
  const answer = await server.browser().send({ method: 'POST', path: '/api/v1/auth/sign-in', payload, headers: { 'content-type': type } })
  expect(answer.statusCode).toBe(415)
  expect(answer.json()).toMatchObject({ success: false, message: 'Only JSON is accepted' })
})

test.each([
  ['broken JSON', '{"email":', 400],
  ['no JSON', 'hello', 400],
  ['a prototype', '{"__proto__":{"role":"admin"},"email":"a@b.in","password":"x"}', 400],
  ['a constructor', '{"constructor":{"prototype":{"role":"admin"}},"email":"a@b.in","password":"x"}', 400],
  ['NUL', String.raw`{"email":"a\u0000@b.in","password":"secret1"}`, 400],
  ['a lone surrogate', String.raw`{"email":"a@b.in","password":"\ud800 secret"}`, 400],
  ['NUL in a key', String.raw`{"email":"a@b.in","password":"secret1","a\u0000":1}`, 400],
  ['100,000 nested arrays', '['.repeat(100_000) + ']'.repeat(100_000), 413],
  ['7,000 nested arrays', '['.repeat(7000) + ']'.repeat(7000), 400],
  ['100,000 keys', `{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join(',')}}`, 413],
  ['a password of 1 MB', JSON.stringify({ email: 'a@b.in', password: 'x'.repeat(1_000_000) }), 413],
  ['12 MB', `"${'x'.repeat(12_000_000)}"`, 413],
])('%s is rejected without details', async (_, payload, status) => {
  const answer = await server
    .browser()
    .send({ method: 'POST', path: '/api/v1/auth/sign-in', payload, headers: { 'content-type': 'application/json' } })
  expect(answer.statusCode).toBe(status)
  expect(answer.body.length).toBeLessThan(400)
  expect(answer.body).not.toMatch(/stack|\bat \/|node_modules|position|Unexpected token/)
})

test.each(['x', '-1', '00000000-0000-0000-0000-000000000000', '%00', "'%20or%201=1--", 'a'.repeat(150)])(
  'an odd id returns 400 or 404: %s',
  async (id) => {
    const answer = await browser.send({ method: 'DELETE', path: `/api/v1/user/sessions/${id}` })
    expect([400, 404]).toContain(answer.statusCode)
  },
)

test('a bug returns a neutral message with the request id, and the log has the cause with the same id', async () => {
  const broken = await testApp({ hasOwnDatabase: true })
  await broken.database.db.schema.dropTable('presence').execute()
  const own = await broken.signedIn()
  const answer = await own.send({ method: 'POST', path: '/api/v1/user/presence', body: { tabId: crypto.randomUUID() } })
  expect(answer.statusCode).toBe(500)
  const id = String(answer.headers['x-request-id'])
  expect(answer.json()).toEqual({
    success: false,
    message: 'Something went wrong on our side. Please try again.',
    error: 'Something went wrong on our side. Please try again.',
    code: 'http.internal',
    statuscode: 500,
    requestId: id,
  })
  expect(broken.logLines.some((line) => line.includes(id) && line.includes('presence'))).toBe(true)
  await broken.close()
})

test('logs contain no secrets and no line breaks of a client', async () => {
  const own = await server.signedIn()
  await own.send({
    method: 'GET',
    path: `/api/v1/user?token=${own.sessionToken}&password=${testPassword}`,
    headers: { 'user-agent': 'x\ty' },
  })
  await own.send({ method: 'GET', path: '/api/v1/%0d%0aforged-line' })
  const log = server.logLines.join('')
  expect(server.logLines.length).toBeGreaterThan(10)
  expect(server.logLines.every((line) => line.endsWith('}\n') && line.indexOf('\n') === line.length - 1)).toBe(true)
  expect(server.logLines.map((line) => (JSON.parse(line) as { component?: string }).component)).not.toContain(undefined)
  const readable = server.logLines.map((line) => readableLine(line, false)).join('')
  for (const secret of [testPassword, own.sessionToken ?? '?', own.cookies.get('tezi_session') ?? '?', 'argon2'])
    expect(log + readable).not.toContain(secret)
})

test('LOG_REQUESTS skips successful requests, but no failures', async () => {
  const quiet = await testApp({ requestLogShare: 0 })
  await quiet.browser().send({ method: 'GET', path: '/healthz' })
  await quiet.browser().send({ method: 'GET', path: '/api/v1/user' })
  expect(quiet.logLines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ component: 'http', status: 401, msg: 'request' }])
  await quiet.close()
})

test('the host header is not reflected', async () => {
  const answer = await server
    .browser()
    .send({ method: 'GET', path: '/', headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } })
  expect(answer.body + JSON.stringify(answer.headers)).not.toContain('evil.example')
})

test('readiness lists what is missing, without details', async () => {
  let report: ReadinessReport = { status: 'not-ready', missing: ['database', 'market-hub'] }
  const lacking = await testApp({ readiness: () => Promise.resolve(report) })
  const ask = () => lacking.browser().send({ method: 'GET', path: '/readyz' })
  const answer = await ask()
  expect(answer).toMatchObject({ statusCode: 503, headers: { 'retry-after': '2' } })
  expect(answer.json()).toMatchObject({ success: false, code: 'http.busy', missing: ['database', 'market-hub'] })
  report = { status: 'ready', missing: ['redis'] }
  expect((await ask()).json()).toEqual({ status: 'ready', missing: ['redis'] })
  report = { status: 'ready', missing: ['writes'] }
  expect(await ask()).toMatchObject({ statusCode: 200 })
  expect((await ask()).json()).toEqual({ status: 'ready', writes: 'failing' })
  report = { status: 'ready', missing: [] }
  expect((await ask()).json()).toEqual({ status: 'ready' })
  await lacking.close()
})

test.each(['/%', '/%ff', '/eur-usd%'])('%s gets the page of the 400 screen, and a call JSON', async (url) => {
  const answer = await server.browser().send({ method: 'GET', path: url })
  expect(answer.statusCode).toBe(400)
  expect(answer.headers).toMatchObject({ ...common, 'content-security-policy': expect.stringContaining("script-src 'self'") as string })
  expect(answer.body).toContain('"errorStatus":400')
  expect((await server.browser().send({ method: 'GET', path: `/api/v1${url}` })).json()).toMatchObject({ success: false })
})

test.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json'])(
  'a POST of %s to a page gets the page of the 405 screen',
  async (type) => {
    const send = (path: string) => server.browser().send({ method: 'POST', path, payload: 'a=b', headers: { 'content-type': type } })
    const answer = await send('/eur-usd')
    expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'GET, HEAD'])
    expect(answer.headers).toMatchObject(common)
    expect(answer.body).toContain('"errorStatus":405')
    expect((await send('/no-such-page')).headers['content-type']).toContain('application/json')
  },
)

test('a page in other letters redirects to its address with the query, and an unknown one does not', async () => {
  const answer = await server.browser().send({ method: 'GET', path: '/EUR-USD?timeframe=15' })
  expect([answer.statusCode, answer.headers.location]).toEqual([301, '/eur-usd?timeframe=15'])
  expect(answer.headers).toMatchObject(common)
  expect((await server.browser().send({ method: 'GET', path: '/No-Such-Page' })).statusCode).toBe(404)
  expect((await server.browser().send({ method: 'GET', path: '/API/v1/user' })).statusCode).toBe(404)
})
