// UDF through the API, on the demo market: access first, then the response formats.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { premiumColumns, testApp, type Browser, type TestApp } from '#server/testing/app.ts'
import { udfSessionOf } from './udf-sessions.ts'
import { udfProblemSchema } from '#shared/udf/contract.ts'

let server: TestApp
let premium: Browser
let free: Browser
let nowSeconds: number
beforeAll(async () => {
  server = await testApp()
  nowSeconds = server.clock.nowMs / 1_000
  premium = await server.signedIn(premiumColumns)
  free = await server.signedIn()
})
afterAll(() => server.close())

const get = (browser: Browser, path: string) => browser.send({ method: 'GET', path: `/udf/${path}` })
const history = async (browser: Browser, query: string) => (await get(browser, `history?${query}`)).json<Record<string, unknown>>()

test.each(['config', 'symbols?symbol=NIFTY', 'search?query=n', 'history?symbol=NIFTY&resolution=1&to=1', 'time', 'quotes?symbols=NIFTY'])(
  'an anonymous request gets nothing from /%s, with the error format of UDF',
  async (path) => {
    const answer = await get(server.browser(), path)
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toMatchObject({ s: 'error', errmsg: expect.stringMatching(/\w/) as string })
  },
)

test.each([
  ['symbols?symbol=NO', 404, 'unknown_symbol'],
  ['history?symbol=BSE:NIFTY&resolution=1&to=1', 404, 'unknown_symbol'],
  ['history?symbol=NIFTY&resolution=7&to=1', 400, 'unknown_resolution'],
  ['history?symbol=NIFTY&resolution=1', 400, ''],
  ['history?symbol=NIFTY&resolution=1&to=1&countback=0', 400, ''],
  ['history?symbol=NIFTY&symbol=NIFTY&resolution=1&to=1', 400, ''],
  [`quotes?symbols=${Array.from({ length: 51 }, (_, index) => `X${index}`).join(',')}`, 400, 'too_many_symbols'],
  ['quotes', 400, ''],
  ['marks?symbol=NO&from=0&to=1', 404, 'unknown_symbol'],
])('/%s answers %i %s', async (path, status, message) => {
  const answer = await get(free, path)
  expect(answer.statusCode).toBe(status)
  // Exactly the fields of the OpenAPI document.
  const { errmsg } = udfProblemSchema.strict().parse(answer.json())
  expect(message === '' || errmsg === message).toBe(true)
})

test('a free user gets the free symbol; premium ones are listed and denied, also in one request with a free one', async () => {
  for (const path of ['symbols?symbol=BTC/USDT', 'history?symbol=btc-usdt&resolution=1D&to=1795000000', 'quotes?symbols=NIFTY,BTC/USDT']) {
    const answer = await get(free, path)
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ s: 'error', errmsg: 'Premium user required' })
  }
  const found = (await get(free, 'search?query=btc')).json<{ ticker: string }[]>()
  expect(found.map(({ ticker }) => ticker)).toEqual(expect.arrayContaining(['btc-usdt', 'btc-usd']))
})

test('the configuration enables exactly one of the two query modes', async () => {
  const answer = await get(free, 'config')
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.json()).toMatchObject({
    supports_search: true,
    supports_group_request: false,
    supports_time: true,
    supports_marks: true,
    supports_timescale_marks: true,
    supported_resolutions: ['1', '3', '5', '15', '30', '60', '120', '240', '1D', '1W', '1M'],
  })
})

test('the time is plain whole seconds', async () => {
  expect((await get(free, 'time')).body).toBe(String(Math.floor(nowSeconds)))
})

test('a symbol has the same description under each of its names, and contains DEMO', async () => {
  const answers = await Promise.all(['NIFTY', 'nifty', 'NSE:NIFTY', 'nse:nifty'].map((symbol) => get(free, `symbols?symbol=${symbol}`)))
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
  expect(answers[0]?.json()).toMatchObject({
    name: 'NIFTY',
    ticker: 'nifty',
    description: 'Nifty 50 Index (demo, no market data)',
    type: 'index',
    exchange: 'NSE',
    // The demo trades around the clock, so a library must not skip its nights.
    session: '24x7',
    timezone: 'Etc/UTC',
    minmov: 5,
    pricescale: 100,
    has_intraday: true,
    visible_plots_set: 'ohlc',
    data_status: 'pulsed',
  })
  const stock = (await get(premium, 'symbols?symbol=RELIANCE')).json<Record<string, unknown>>()
  expect(stock).toMatchObject({ has_intraday: true, supported_resolutions: expect.arrayContaining(['5', '1D']), currency_code: 'INR' })
})

test('the hours of each class are in the local time of its exchange', () => {
  const nowMs = Date.parse('2026-11-20T06:00:00Z')
  const nse = udfSessionOf('nse-equity', nowMs)
  expect(nse).toMatchObject({ session: '0915-1535', timezone: 'Asia/Kolkata' })
  expect(nse.session_holidays.split(',')).toEqual(expect.arrayContaining(['20261124', '20261225']))
  expect(nse.corrections.split(';').find((part) => part.includes('20260201'))).toMatch(/^0915-1530:/)
  expect(udfSessionOf('nse-index', nowMs).session).toBe('0915-1535')
  expect(udfSessionOf('bse-index', nowMs).session).toBe('0915-1535')
  expect(udfSessionOf('fx', nowMs)).toMatchObject({ session: '1700-1700', timezone: 'America/New_York' })
  expect(udfSessionOf('metals', nowMs)).toMatchObject({ session: '1800-1700', timezone: 'America/New_York' })
  expect(udfSessionOf('cme', nowMs)).toMatchObject({ session: '1700-1600', timezone: 'America/Chicago' })
  // Trading from two evenings before up to the halt on the holiday, and the regular hours, belong to one date.
  const cme = udfSessionOf('cme', nowMs)
  expect(cme.corrections.split(';')).toContain('1700F2-1200F1,1700-1215:20261127')
  expect(cme.corrections.split(';')).toContain('1700F4-1200F3,1700-1600:20260622,20260706,20270621')
  expect(cme.session_holidays.split(',')).toEqual(expect.arrayContaining(['20261126', '20270118']))
  expect(udfSessionOf('crypto', nowMs)).toMatchObject({ session: '24x7', timezone: 'Etc/UTC' })
})

test('search matches name, exchange, type and description, names first, and respects its limit', async () => {
  const tickers = async (query: string) => (await get(free, `search?${query}`)).json<{ ticker: string }[]>().map(({ ticker }) => ticker)
  expect((await tickers('query=nifty&limit=2'))[0]).toBe('nifty')
  expect(await tickers('query=nifty&limit=2')).toHaveLength(2)
  expect(await tickers('query=tether&exchange=CRYPTO')).toEqual(['btc-usdt', 'cake-usdt', 'eth-usdt', 'doge-usdt'])
  expect(await tickers('query=&type=stock&limit=100')).toHaveLength(5)
  expect(await tickers('query=%25')).toEqual([])
})

test('history counts back from `to`, whatever `from` is', async () => {
  const to = Math.floor(nowSeconds / 300) * 300
  const reply = await history(premium, `symbol=BTC/USDT&resolution=5&from=${to - 300}&to=${to}&countback=10`)
  expect(reply).toMatchObject({ s: 'ok', t: Array.from({ length: 10 }, (_, index) => to - (10 - index) * 300) })
  for (const column of ['o', 'h', 'l', 'c', 'v']) expect(reply[column]).toHaveLength(10)
})

test('without countback it has the bars from `from` to `to` (exclusive), over many pages', async () => {
  const to = Math.floor(nowSeconds / 60) * 60
  const from = to - 7_000 * 60
  const reply = await history(premium, `symbol=btc-usdt&resolution=1&from=${from}&to=${to}`)
  expect(reply['t']).toEqual(Array.from({ length: 7_000 }, (_, index) => from + index * 60))
})

test('an index has no volume column, and its days carry 00:00 UTC of their date', async () => {
  const reply = await history(free, `symbol=NIFTY&resolution=D&to=${nowSeconds}&countback=3`)
  expect(reply).not.toHaveProperty('v')
  expect(reply['t']).toEqual(['2026-11-18', '2026-11-19', '2026-11-20'].map((date) => Date.parse(date) / 1_000))
})

test('without bars it reports when older ones end, or that there are none', async () => {
  const saturday = Date.parse('2035-01-06') / 1_000
  expect(await history(free, `symbol=NIFTY&resolution=60&from=${saturday}&to=${saturday + 3_600}`)).toEqual({
    s: 'no_data',
    nextTime: Math.floor((nowSeconds - 60) / 3_600) * 3_600,
  })
  expect(await history(free, 'symbol=NIFTY&resolution=1D&from=0&to=86400')).toEqual({ s: 'no_data' })
})

test('quotes have last price and change, and an unknown symbol affects only itself', async () => {
  const { s, d } = (await get(free, 'quotes?symbols=NSE:NIFTY,NO')).json<{
    s: string
    d: { s: string; n: string; v: Record<string, number> }[]
  }>()
  expect(s).toBe('ok')
  expect(d.map(({ s, n }) => `${s} ${n}`)).toEqual(['ok NSE:NIFTY', 'error NO'])
  const days = await history(free, `symbol=NIFTY&resolution=1D&to=${nowSeconds}&countback=2`)
  const [before = 0, today = 0] = days['c'] as number[]
  expect(d[0]?.v).toMatchObject({ lp: today, prev_close_price: before, ch: Math.round((today - before) * 100) / 100 })
})

test('marks are the corporate actions on their bars, and on the time scale the holidays as well', async () => {
  const [from, to] = ['2025-06-01', '2026-12-01'].map((date) => Date.parse(date) / 1_000)
  const marks = (await get(premium, `marks?symbol=tata-motors&from=${from}&to=${to}&resolution=1D`)).json<{
    time: number[]
    label: string[]
  }>()
  expect(marks.time).toEqual(['2025-10-14', '2025-10-24'].map((date) => Date.parse(date) / 1_000))
  expect(marks.label).toEqual(['D', 'N'])
  const intraday = (await get(premium, `marks?symbol=tata-motors&from=${from}&to=${to}&resolution=5`)).json<{ time: number[] }>()
  expect(intraday.time[0]).toBe(Date.parse('2025-10-14T09:15+05:30') / 1_000)
  const scale = (await get(premium, `timescale_marks?symbol=tata-motors&from=${from}&to=${to}`)).json<{ id: string; time: number }[]>()
  expect(scale.map(({ id }) => id)).toEqual(expect.arrayContaining(['demerger-2025-10-14', 'holiday-2026-11-24']))
  expect(scale.map(({ time }) => time)).toEqual(scale.map(({ time }) => time).toSorted((one, other) => one - other))
  expect((await get(free, `marks?symbol=NIFTY&from=${from}&to=${to}`)).json()).toMatchObject({ id: [], time: [] })
})

test('the typed client supports it as well', async () => {
  const reply = await free.client.udf.history({ query: { symbol: 'NIFTY', resolution: '60', to: nowSeconds, countback: 2 } })
  expect(reply.s).toBe('ok')
  await expect(free.client.udf.symbols({ query: { symbol: 'EUR/USD' } })).rejects.toMatchObject({
    status: 403,
    code: 'http.premiumRequired',
  })
})
