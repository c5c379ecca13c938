// The chart's configuration and the six toggles through the API.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { premiumColumns, testApp, type Browser, type TestApp } from '#server/testing/app.ts'
import { databaseRejectedRows } from '#server/features/market-data/store/rejected-rows.ts'
import { noChartFlags } from '#shared/chart/chart-flags.ts'
import { instruments } from '#shared/instruments/instruments.ts'

let server: TestApp
let premium: Browser
beforeAll(async () => {
  server = await testApp()
  premium = await server.signedIn(premiumColumns)
})
afterAll(() => server.close())

test('every instrument of the product has a chart configuration', async () => {
  expect(instruments).toHaveLength(28)
  for (const { slug, symbol } of instruments) {
    expect((await premium.client.chart.config({ params: { slug } })).data).toMatchObject({ slug, symbol, studies: [] })
  }
})

test.each([[{}], [{ ...noChartFlags, zigZag: 'yes' }], [{ ...noChartFlags, zigZag: undefined }], [[]]])(
  'toggles of another shape are rejected: %j',
  async (body) => {
    expect((await premium.send({ method: 'PUT', path: '/api/v1/user/chart-settings', body })).statusCode).toBe(400)
  },
)

test('candles that stay missing are named, those that are requested again are not', async () => {
  const rows = databaseRejectedRows({ db: server.database.db, now: () => server.clock.nowMs })
  const key = { series: 'eur-usd', source: 'kraken', step: '1m' } as const
  const missing = async () => (await premium.client.chart.config({ params: { slug: 'eur-usd' } })).data.missing
  for (let answer = 1; answer <= 3; answer += 1) {
    expect(await missing()).toEqual([])
    const row = { span: { fromMs: 60_000, toMs: 120_000 }, issue: 'not-positive', answer: '0' } as const
    await rows.note(key, { fromMs: 0, toMs: 600_000 }, [row])
    server.clock.nowMs += 86_400_000
  }
  expect(await missing()).toEqual([{ source: 'Kraken', fromMs: 60_000, stepMs: 60_000 }])
  server.clock.nowMs -= 3 * 86_400_000
})

test('toggles start off, are kept per account, and bring their studies to the chart', async () => {
  expect((await premium.client.chart.settings()).data).toEqual(noChartFlags)
  const flags = { ...noChartFlags, zigZag: true, pivotpoint: true }
  expect((await premium.client.chart.saveSettings({ body: flags })).data).toEqual(flags)
  expect((await premium.client.chart.settings()).data).toEqual(flags)
  expect((await premium.client.chart.config({ params: { slug: 'eur-usd' } })).data.studies).toEqual([
    'STD;Zig_Zag',
    'STD;Pivot%1Points%1Standard',
  ])

  const other = await server.signedIn(premiumColumns)
  expect((await other.client.chart.settings()).data).toEqual(noChartFlags)
})

test('the configuration comes with the last toggles while their table does not answer, and with the new ones after it', async () => {
  const studies = async () => (await premium.client.chart.config({ params: { slug: 'eur-usd' } })).data.studies
  await premium.client.chart.saveSettings({ body: { ...noChartFlags, zigZag: true } })
  expect(await studies()).toEqual(['STD;Zig_Zag'])
  await server.database.db.transaction().execute(async (transaction) => {
    await sql`lock table chart_settings, rejected_rows`.execute(transaction)
    for (let call = 0; call < 20; call += 1) expect(await studies()).toEqual(['STD;Zig_Zag'])
    await transaction
      .updateTable('chart_settings')
      .set({ flags: JSON.stringify(noChartFlags) })
      .execute()
  })
  await expect.poll(studies).toEqual([])
})

test('studies never reach a user without premium, not even on the free chart', async () => {
  const { id, email } = await server.addUser(premiumColumns)
  const browser = server.browser()
  await browser.signIn(email)
  await browser.client.chart.saveSettings({ body: { ...noChartFlags, zigZag: true } })
  await server.database.db.updateTable('users').set({ status: 'cancel' }).where('id', '=', id).execute()
  expect((await browser.client.chart.config({ params: { slug: 'nifty' } })).data.studies).toEqual([])
  await expect(browser.client.chart.saveSettings({ body: noChartFlags })).rejects.toMatchObject({ status: 403 })
})
