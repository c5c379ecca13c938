// The admin's Instruments page through the API: access, validation, effects on charts, and audit log.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { premiumColumns, testApp, type Browser, type TestApp } from '#server/testing/app.ts'
import { listenForLive, openLive } from '#server/testing/live.ts'
import { findInstrument, instruments } from '#shared/instruments/instruments.ts'
import { defaultSubstitutesOf } from '#shared/chart/default-substitutes.ts'
import { instrumentSettings } from './instrument-settings.ts'

let server: TestApp
let admin: Browser
let premium: Browser

beforeAll(async () => {
  server = await testApp()
})
let tests = 0
beforeEach(async () => {
  await server.reset()
  // Expires the cache of the previous test.
  tests += 1
  server.clock.nowMs += tests * 10_000
  admin = await person({ role: 'admin' })
  premium = await person(premiumColumns)
})
afterAll(() => server.close())

async function person(values: Parameters<TestApp['addUser']>[0]): Promise<Browser> {
  const browser = await server.signedIn(values)
  return browser
}

const path = '/api/v1/admin/instruments'
const sensex = { symbol: 'BSE:SENSEX', widget: 'end-of-day', substitutes: [], firstChart: null, isHidden: false } as const
const save = (slug: string, change: object, browser = admin) =>
  browser.send({ method: 'PUT', path: `${path}/${slug}`, body: { ...sensex, version: 0, isChecked: true, ...change } })
const rowOf = async (slug: string) => (await admin.client.adminInstruments.list()).data.instruments.find((row) => row.slug === slug)
const chartOf = async (slug: string) => (await premium.client.chart.config({ params: { slug } })).data
const etf = { symbol: 'BSE:SETF', title: 'A SENSEX ETF', widget: 'end-of-day', sessionClass: 'bse-index' } as const

describe('the list and a change', () => {
  it('reject anonymous users, users and premium users before validation', async () => {
    for (const [browser, status] of [
      [server.browser(), 401],
      [await person({}), 403],
      [premium, 403],
    ] as const) {
      expect((await browser.send({ method: 'GET', path })).statusCode).toBe(status)
      expect((await save('sensex', { symbol: 5 }, browser)).statusCode).toBe(status)
    }
  })

  it('reject an admin with an old password check, without effect', async () => {
    server.clock.nowMs += 16 * 60_000
    const answer = await save('sensex', { isHidden: true })
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'admin.confirmPassword'])
    expect(await server.database.db.selectFrom('instrument_settings').selectAll().execute()).toEqual([])
  })

  it.each([
    ['no-such', {}, 404, undefined],
    ['sensex', { symbol: 'SENSEX' }, 400, { symbol: 'Enter a TradingView symbol such as BSE:SENSEX.' }],
    ['sensex', { symbol: 'BSE:SEN SEX' }, 400, { symbol: 'Enter a TradingView symbol such as BSE:SENSEX.' }],
    ['sensex', { symbol: `BSE:${'X'.repeat(41)}` }, 400, { symbol: 'Enter a TradingView symbol such as BSE:SENSEX.' }],
    ['sensex', { widget: 'sometimes' }, 400, { widget: expect.any(String) }],
    ['sensex', { firstChart: 'native' }, 400, { firstChart: expect.any(String) }],
    ['sensex', { isHidden: 'yes' }, 400, { isHidden: expect.any(String) }],
    ['sensex', { version: -1 }, 400, { version: expect.any(String) }],
    ['sensex', { isChecked: undefined }, 400, { isChecked: expect.any(String) }],
    [
      'sensex',
      { substitutes: Array.from({ length: 5 }, (_, n) => ({ ...etf, symbol: `BSE:E${n}` })) },
      400,
      { substitutes: expect.any(String) },
    ],
    ['sensex', { substitutes: [{ ...etf, title: '  ' }] }, 400, { 'substitutes.0.title': 'Enter what the substitute is.' }],
    ['sensex', { substitutes: [{ ...etf, title: 'x'.repeat(61) }] }, 400, { 'substitutes.0.title': 'Use at most 60 characters.' }],
    ['sensex', { substitutes: [{ ...etf, widget: 'none' }] }, 400, { 'substitutes.0.widget': expect.any(String) }],
    ['sensex', { substitutes: [{ ...etf, sessionClass: 'lse' }] }, 400, { 'substitutes.0.sessionClass': expect.any(String) }],
    ['sensex', { substitutes: [etf, etf] }, 400, { 'substitutes.1.symbol': 'Each symbol can be used once.' }],
    ['sensex', { substitutes: [{ ...etf, symbol: 'BSE:SENSEX' }] }, 400, { 'substitutes.0.symbol': 'Each symbol can be used once.' }],
    ['nifty', { symbol: 'NSE:NIFTY', isHidden: true }, 400, { isHidden: 'The free chart cannot be hidden.' }],
    ['sensex', { version: 1 }, 409, undefined],
  ])('of %s with %j are rejected with %d', async (slug, change, status, fields) => {
    const answer = await save(slug, change)
    expect([answer.statusCode, answer.json().fields]).toEqual([status, fields])
    expect(await server.database.db.selectFrom('instrument_settings').selectAll().execute()).toEqual([])
  })

  it('based on an older version are rejected, and the newer one is kept', async () => {
    expect((await save('sensex', { firstChart: 'tezi' })).statusCode).toBe(200)
    const answer = await save('sensex', { isHidden: true })
    expect([answer.statusCode, answer.json().message]).toEqual([409, 'This instrument was changed meanwhile. Reload and try again.'])
    expect(await rowOf('sensex')).toMatchObject({ firstChart: 'tezi', isHidden: false, version: 1 })
  })

  it('list all 28 with their built-in values', async () => {
    const { data } = await admin.client.adminInstruments.list()
    expect(data.firstChart).toBe('tradingview')
    expect(data.instruments.map(({ slug, label, symbol }) => [slug, label, symbol])).toEqual(
      instruments.map(({ slug, label, symbol }) => [slug, label, symbol]),
    )
    expect(data.instruments).toHaveLength(28)
    expect(await rowOf('nifty')).toMatchObject({
      substitutes: defaultSubstitutesOf('nifty'),
      native: 'demo',
      source: 'Tezi demo',
      condition: null,
      version: 0,
    })
  })

  it('reach the chart, are read back, and are logged with before and after', async () => {
    expect(await chartOf('sensex')).toMatchObject({
      symbol: 'BSE:SENSEX',
      widget: 'end-of-day',
      substitutes: [],
      firstChart: 'tradingview',
    })
    const change = { symbol: 'BSE:SENSEX50', widget: 'live', substitutes: [etf], firstChart: 'tezi', isChecked: false }
    expect((await save('sensex', change)).json()).toMatchObject({ success: true, message: 'Instrument saved' })
    const kept = { symbol: 'BSE:SENSEX50', widget: 'live', substitutes: [etf], firstChart: 'tezi' }
    expect(await chartOf('sensex')).toMatchObject(kept)
    expect(await rowOf('sensex')).toMatchObject({ ...kept, version: 1, defaults: { symbol: 'BSE:SENSEX', widget: 'end-of-day' } })
    const [entry, ...others] = await server.database.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'instrument-changed')
      .execute()
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      target: 'SENSEX',
      details: {
        before: { symbol: 'BSE:SENSEX', widget: 'end-of-day', substitutes: '', firstChart: 'default', isHidden: false },
        after: { symbol: 'BSE:SENSEX50', widget: 'live', substitutes: 'BSE:SETF (A SENSEX ETF, end-of-day)', firstChart: 'tezi' },
        isChecked: false,
      },
    })
  })

  it('of an earlier release have substitutes of unknown hours', async () => {
    const { sessionClass: _, ...before } = etf
    await server.database.db
      .insertInto('instrument_settings')
      .values({ slug: 'sensex', substitutes: JSON.stringify([before]), version: 1, updated_at: new Date(), is_hidden: false })
      .execute()
    expect((await chartOf('sensex')).substitutes).toEqual([{ ...etf, sessionClass: null }])
    expect((await rowOf('sensex'))?.substitutes).toEqual([{ ...etf, sessionClass: null }])
  })

  it('back to the built-in values leave no values in the database', async () => {
    await save('sensex', { symbol: 'BSE:SENSEX50' })
    await save('sensex', { version: 1 })
    const [row] = await server.database.db.selectFrom('instrument_settings').selectAll().execute()
    expect(row).toMatchObject({ symbol: null, widget: null, substitutes: null, first_chart: null, is_hidden: false, version: 2 })
  })

  it('are seen by another process within five seconds', async () => {
    const instrument = findInstrument('sensex')
    if (instrument === undefined) throw new Error('no SENSEX')
    const other = instrumentSettings({
      db: server.database.db,
      now: () => server.clock.nowMs,
      onError: (error) => {
        throw error
      },
    })
    expect((await other.of(instrument)).symbol).toBe('BSE:SENSEX')
    await save('sensex', { symbol: 'BSE:SENSEX50' })
    expect((await other.of(instrument)).symbol).toBe('BSE:SENSEX')
    server.clock.nowMs += 5_001
    expect((await other.of(instrument)).symbol).toBe('BSE:SENSEX50')
  })
})

describe('a hidden instrument', () => {
  it('is gone for everyone from charts, candles and live prices, and comes back', async () => {
    const url = await listenForLive(server.app)
    const statuses = async (browser: Browser) => [
      (await browser.send({ method: 'GET', path: '/api/v1/market/charts/sensex' })).statusCode,
      (await browser.send({ method: 'GET', path: '/api/v1/market/candles/sensex' })).statusCode,
    ]
    expect(await statuses(premium)).toEqual([200, 200])
    expect((await premium.client.instruments.hidden()).data).toEqual([])
    await save('sensex', { isHidden: true })
    expect((await premium.client.instruments.hidden()).data).toEqual(['sensex'])
    for (const browser of [premium, admin]) expect(await statuses(browser)).toEqual([404, 404])
    const live = await openLive(url, premium)
    live.send({ t: 'sub', id: 1, slug: 'sensex', timeframe: '1', bars: 10 })
    expect(await live.next('end')).toMatchObject({ id: 1, code: 'instruments.unknown' })
    live.socket.terminate()
    await save('sensex', { version: 1 })
    expect(await statuses(premium)).toEqual([200, 200])
    expect((await premium.client.instruments.hidden()).data).toEqual([])
  })

  it('is listed for signed-in users only', async () => {
    expect((await server.browser().send({ method: 'GET', path: '/api/v1/market/hidden-instruments' })).statusCode).toBe(401)
  })
})
