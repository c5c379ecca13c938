// Pages of closed candles that browsers keep: what names them, who gets them, and when they are forgotten.
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs } from '#shared/base/durations.ts'
import { premiumColumns, testApp, testPassword, type Browser, type TestApp } from '#server/testing/app.ts'
import { listStore, minutesBetween } from '#server/testing/candles.ts'
import { demoFeed } from '../feeds/demo-feed.ts'
import { manualClock } from '../feeds/testing/manual-clock.ts'
import { CandleCache } from '../store/candle-cache.ts'
import { CandleHistory } from './candle-history.ts'
import { compressedBodies } from './routes.ts'

let server: TestApp
let premium: Browser
let free: Browser
beforeAll(async () => {
  server = await testApp()
  premium = await server.signedIn(premiumColumns)
  free = await server.signedIn()
})
afterAll(() => server.close())

interface Page {
  readonly candles: readonly [timeMs: number, ...rest: unknown[]][]
  readonly hasOlder: boolean
  readonly older: { readonly to: number; readonly limit: number; readonly edition: string } | null
}

const get = (browser: Browser, path: string, headers: Record<string, string> = {}) =>
  browser.send({ method: 'GET', path: `/api/v1/market/candles/${path}`, headers })
const read = async (browser: Browser, path: string) => (await get(browser, path)).json<{ data: Page }>().data
const queryOf = ({ to, limit, edition }: NonNullable<Page['older']>) =>
  `timeframe=15&to=${to}&limit=${limit}&edition=${edition}&pages=fixed`
const newest = 'timeframe=15&limit=300&pages=fixed'
const immutable = 'private, max-age=2592000, immutable'

/** The page that the newest one of an instrument names. */
async function namedBy(browser: Browser, slug: string): Promise<NonNullable<Page['older']>> {
  const { older } = await read(browser, `${slug}?${newest}`)
  if (older === null) throw new Error('there is no older page')
  return older
}

test('a page is refused as before, whoever has named it', async () => {
  const older = await namedBy(premium, 'btc-usdt')
  expect((await get(server.browser(), `btc-usdt?${queryOf(older)}`)).statusCode).toBe(401)
  const refused = await get(free, `btc-usdt?${queryOf(older)}`)
  expect(refused.json()).toMatchObject({ statuscode: 403, code: 'http.premiumRequired' })
  expect(refused.headers['cache-control']).toBe('no-store')
  expect((await get(free, `nifty?${newest.replace('fixed', 'other')}`)).statusCode).toBe(400)
  expect((await get(free, `nifty?${newest}&edition=${'x'.repeat(65)}`)).statusCode).toBe(400)
})

test('only a request with the edition of its page may be kept, and only in the browser of its user', async () => {
  const older = await namedBy(free, 'nifty')
  const page = await get(free, `nifty?${queryOf(older)}`)
  expect(page.headers).toMatchObject({ 'cache-control': immutable, vary: 'accept-encoding' })
  const others = [
    newest,
    queryOf(older).replace('&edition', '&was'),
    queryOf({ ...older, edition: 'free-none' }),
    queryOf({ ...older, to: older.to - dayMs }),
    queryOf(older).replace('timeframe=15', 'timeframe=30'),
  ]
  const answers = await Promise.all(others.map((query) => get(free, `nifty?${query}`)))
  expect(answers.map(({ headers }) => headers['cache-control'])).toEqual(others.map(() => 'no-store'))
})

test('an edition belongs to one instrument and one class of users', async () => {
  const [ofFree, ofPremium] = [await namedBy(free, 'nifty'), await namedBy(premium, 'btc-usdt')]
  expect(ofFree.edition).toMatch(/^free-[\w-]{32}$/)
  expect(ofPremium.edition).toMatch(/^premium-[\w-]{32}$/)
  expect((await get(premium, `btc-usdt?${queryOf({ ...ofPremium, edition: ofFree.edition })}`)).headers['cache-control']).toBe('no-store')
  expect((await get(premium, `nifty?${queryOf({ ...ofFree, edition: ofPremium.edition })}`)).headers['cache-control']).toBe('no-store')
})

test('a page that a browser keeps is compressed, with the same text', async () => {
  const older = await namedBy(free, 'nifty')
  const plain = await get(free, `nifty?${queryOf(older)}`)
  const packed = await get(free, `nifty?${queryOf(older)}`, { 'accept-encoding': 'br, gzip' })
  expect(packed.headers).toMatchObject({ 'cache-control': immutable, 'content-encoding': 'gzip' })
  expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
  expect(JSON.parse(gunzipSync(packed.rawPayload).toString())).toEqual(plain.json())
  expect((await get(free, `nifty?${newest}`, { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBeUndefined()
})

test('fixed pages join to the candles of one request, without a gap or a double', async () => {
  const whole = await read(free, 'nifty?timeframe=15&limit=3000')
  let page = await read(free, `nifty?${newest}`)
  let joined = page.candles
  let immutableCount = 0
  while (joined.length < 2_500) {
    const query = page.older === null ? `${newest}&to=${page.candles[0]?.[0]}` : queryOf(page.older)
    const answer = await get(free, `nifty?${query}`)
    immutableCount += answer.headers['cache-control'] === immutable ? 1 : 0
    page = answer.json<{ data: Page }>().data
    expect(page.candles.length).toBeGreaterThanOrEqual(300)
    joined = [...page.candles, ...joined]
  }
  expect(immutableCount).toBeGreaterThan(1)
  expect(joined.slice(-2_500)).toEqual(whole.candles.slice(-2_500))
})

test('a corrected candle changes the edition of its page alone', async () => {
  const nowMs = Date.parse('2026-11-20T06:10:20Z')
  const now = () => nowMs
  const store = new CandleCache(listStore(now), { now, monotonic: now })
  const demo = demoFeed({ clock: manualClock(nowMs) })
  const options = { store, demo, delayMsOf: () => 0, extend: () => Promise.resolve(false), now, monotonic: now }
  const history = new CandleHistory(options)
  const key = { series: 'btc-usdt', source: 'binance', step: '1m' } as const
  const minutes = minutesBetween(nowMs - 10 * dayMs, Math.floor(nowMs / 60_000) * 60_000)
  await store.append(key, minutes)
  const page = (toMs: number) =>
    history.fixedRows({ series: key.series, source: key.source, sessionClass: 'crypto', timeframe: '1', toMs, limit: 500 })
  const newestPage = await page(Infinity)
  const toMs = newestPage.older?.toMs ?? Number.NaN
  const before = await page(toMs)
  expect(before.edition).toBe(newestPage.older?.edition)
  expect(before.edition).not.toBe(before.older?.edition)
  const corrected = minutes.findLast(({ timeMs }) => timeMs < toMs)
  if (corrected === undefined) throw new Error('there is no older candle')
  await store.append(key, [{ ...corrected, close: corrected.open, high: corrected.open + 900 }])
  const after = await page(toMs)
  expect(after.edition).not.toBe(before.edition)
  expect(after.older).toEqual(before.older)
  expect((await page(Infinity)).older?.edition).toBe(after.edition)
})

test('a page is compressed once for all who ask at the same time and later', async () => {
  const pages = compressedBodies(2)
  let made = 0
  const body = () => {
    made += 1
    return Buffer.from('candles')
  }
  const [one, other] = await Promise.all([pages('a', body), pages('a', body)])
  expect(one).toBe(other)
  await pages('b', body)
  await pages('a', body)
  expect(made).toBe(2)
  await pages('c', body)
  await pages('b', body)
  expect(made).toBe(4)
})

test('signing out and an ended session clear what the browser keeps; a visitor has nothing to clear', async () => {
  const { email } = await server.addUser()
  const [here, there] = [server.browser(), server.browser()]
  await here.signIn(email, testPassword)
  await there.signIn(email, testPassword)
  const clear = async (browser: Browser, path: string) =>
    (await browser.send({ method: 'GET', path: `/api/v1${path}` })).headers['clear-site-data']
  expect(await clear(server.browser(), '/user')).toBeUndefined()
  expect(await clear(here, '/user')).toBeUndefined()
  expect(await clear(there, '/auth/sign-out')).toBe('"cache"')
  await server.database.db
    .updateTable('sessions')
    .set({ ended_at: new Date(server.clock.nowMs) })
    .execute()
  expect(await clear(here, '/user')).toBe('"cache"')
})
