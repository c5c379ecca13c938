// Pages that the build has rendered for visitors: who gets which, what the server fills in, and caching.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testApp, type Browser, type TestApp } from '#server/testing/app.ts'

const webRoot = mkdtempSync(path.join(tmpdir(), 'tezi-pages-'))
const blocks = '<script type="application/json" id="site">{}</script><script type="application/ld+json" id="structured-data">{}</script>'
const rescue = 'rescue("page")'
const origin = 'https://tezi.example'
const brandName = 'A "b" </script><i>{{origin}}'

let server: TestApp
let visitor: Browser

beforeAll(async () => {
  mkdirSync(path.join(webRoot, 'assets'))
  for (const name of ['index', 'landing', 'login', 'login-mail', 'sign-up', 'privacy', 'not-found'])
    writeFileSync(
      path.join(webRoot, `${name}.html`),
      `<title>{{brandName}}</title>${blocks}<script>${rescue}</script><a class="${name}" href="{{supportUrl}}">{{claims.1.figure}} {{claims.1.what}}</a><p>{{prices.regular}}|{{prices.crypto}}</p>`,
    )
  writeFileSync(path.join(webRoot, 'robots.txt'), 'Sitemap: {{origin}}/sitemap.xml')
  writeFileSync(path.join(webRoot, 'sitemap.xml'), '<loc>{{origin}}/</loc>')
  writeFileSync(path.join(webRoot, 'site.webmanifest'), '{"name": "{{brandName}}"}')
  server = await testApp({ webRoot, publicOrigin: origin, site: { brandName, origin, supportUrl: 'https://help.example/?a=1&b="2"' } })
})
beforeEach(async () => {
  await server.reset()
  server.clock.nowMs += 60_000
  visitor = server.browser()
})
afterAll(async () => {
  await server.close()
  rmSync(webRoot, { recursive: true })
})

const read = (url: string, headers: Record<string, string> = {}) => visitor.send({ method: 'GET', path: url, headers })
const pageOf = (body: string) => /class="([\w-]+)"/.exec(body)?.[1]

test.each([
  ['/', 'landing'],
  ['/?utm_source=x', 'landing'],
  ['/btc-usd', 'landing'],
  ['/login', 'login'],
  ['/login?mode=sign-up', 'sign-up'],
  ['/login?mode=password-link', 'index'],
  ['/privacy', 'privacy'],
  ['/admin', 'index'],
  ['/no-such-page', 'not-found'],
])('a visitor gets for %s the page %s', async (url, name) => {
  expect(pageOf((await read(url)).body)).toBe(name)
})

test.each(['/', '/btc-usd', '/login', '/login?mode=sign-up'])('a session gets for %s the app', async (url) => {
  await visitor.signIn((await server.addUser()).email)
  const answer = await read(url)
  expect(pageOf(answer.body)).toBe('index')
  expect(answer.headers['vary']).toContain('cookie')
})

test.each(['/admin', '/admin/', '/admin/user-req', '/admin/no-such-page'])('%s has status 403 for everybody but admins', async (url) => {
  expect((await read(url)).statusCode).toBe(403)
  expect((await read(url, { cookie: 'tezi_session=forged' })).statusCode).toBe(403)
  const member = server.browser()
  await member.signIn((await server.addUser()).email)
  const answer = await member.send({ method: 'GET', path: url })
  expect([answer.statusCode, pageOf(answer.body)]).toEqual([403, 'index'])
  expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
})

test('an admin gets the pages of the admin area, and 404 for an unknown one', async () => {
  const admin = server.browser()
  await admin.signIn((await server.addUser({ role: 'admin' })).email)
  expect((await admin.send({ method: 'GET', path: '/admin/user-req' })).statusCode).toBe(200)
  expect((await admin.send({ method: 'GET', path: '/admin/no-such-page' })).statusCode).toBe(404)
  expect((await admin.send({ method: 'GET', path: '/administration' })).statusCode).toBe(404)
})

test('the policy allows the inline script of the page by its hash, and no other', async () => {
  const { body, headers } = await read('/')
  const hash = createHash('sha256').update(rescue).digest('base64')
  expect(body).toContain(`<script>${rescue}</script>`)
  expect(headers['content-security-policy']).toContain(`script-src 'self' 'sha256-${hash}';`)
})

test('where email is configured, the sign-in page offers the link for a new password', async () => {
  const own = await testApp({ webRoot, site: { hasMail: true } })
  expect(pageOf((await own.browser().send({ method: 'GET', path: '/login' })).body)).toBe('login-mail')
  await own.close()
})

test('values are escaped for text, attributes and data, and bring no tokens along', async () => {
  const { body } = await read('/')
  expect(body).toContain('<title>A &#34;b&#34; &#60;/script&#62;&#60;i&#62;{{origin}}</title>')
  expect(body).toContain('href="https://help.example/?a=1&#38;b=&#34;2&#34;"')
  expect(body).toContain('1M+ analysts')
  const data = [...body.matchAll(/<script type[^>]*>([^<]*)<\/script>/g)].map(
    ([, json = '']) => JSON.parse(json) as Record<string, unknown>,
  )
  expect(data[0]).toMatchObject({ brandName, origin })
  expect(JSON.stringify(data[1])).toContain(`"url":"${origin}/"`)
})

test('files at the root name the public address', async () => {
  expect((await read('/robots.txt')).body).toBe(`Sitemap: ${origin}/sitemap.xml`)
  expect((await read('/sitemap.xml')).headers['content-type']).toContain('application/xml')
  expect((await read('/sitemap.xml')).body).toBe(`<loc>${origin}/</loc>`)
  expect((await read('/site.webmanifest')).json()).toEqual({ name: brandName })
})

test('a page that has not changed is not sent again', async () => {
  const first = await read('/')
  const etag = String(first.headers['etag'])
  const again = await read('/', { 'if-none-match': `W/"x", ${etag}` })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  expect((await read('/login', { 'if-none-match': etag })).statusCode).toBe(200)
})

test.each([
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip;q=1, br;q=0', 'gzip', gunzipSync],
  ['brx', undefined, undefined],
  ['identity', undefined, undefined],
])('Accept-Encoding %s is answered with %s', async (accepted, encoding, unpack) => {
  const plain = await read('/')
  const answer = await read('/', { 'accept-encoding': accepted })
  expect(answer.headers['content-encoding']).toBe(encoding)
  expect((unpack?.(answer.rawPayload) ?? answer.rawPayload).toString()).toBe(plain.body)
})

test('the prices are those of the plans on sale, within seconds of a change', async () => {
  const prices = async () => /<p>(.*)<\/p>/.exec((await read('/')).body)?.[1]
  await expect.poll(prices).toBe('Not on sale at present|Not on sale at present')
  await server.database.db
    .insertInto('plans')
    .values({ type: 'regular', months: 3, price_minor: 249_950, qr_image: '', qr_text: null, updated_at: new Date() })
    .execute()
  server.clock.nowMs += 10_000
  await expect.poll(prices).toBe('₹2,499.50 for 3 months|Not on sale at present')
})

test('with live claims the page counts', async () => {
  const own = await testApp({ webRoot, hasLiveClaims: true })
  await own.addUser()
  await own.addUser()
  await expect.poll(async () => (await own.browser().send({ method: 'GET', path: '/' })).body).toContain('>2 analysts<')
  await own.close()
})
