// The market data page of an admin: sources and licences, active series, and the calendar that ends.
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './harness/accessible.ts'
import { addPerson } from './harness/people.ts'
import { arriveAt, expectNoSideScroll, press, see } from './harness/see.ts'
import { startServer, testSettings, type ServerProcess } from './harness/server-process.ts'
import { startOwnServer } from './harness/own-server.ts'
import { phone, taggedSizes, test } from './harness/test.ts'
import { world } from './harness/world.ts'

// One server with sources and licences serves all of these tests.
test.describe.configure({ mode: 'default' })

const secrets = ['e2e-secret-twelve', 'e2e-secret-kite', 'e2e-secret-name', 'e2e-secret-word']
const ending = "The NSE calendar runs out in 26 days. Import next year's holiday list."

let server: ServerProcess

test.beforeAll(async () => {
  server = await startServer({
    DATABASE_URL: world().databaseUrl,
    ...testSettings,
    MARKET_DEMO: 'on',
    MARKET_SOURCES: 'twelve-data,kite',
    MARKET_LICENCES: 'nse=delayed-15:NSE/2026/17,kite=licensed:KITE-3',
    // Nothing listens there, and it is never called: no series of Twelve Data is opened.
    MARKET_URLS: '{"twelve-data":{"restUrl":"http://e2e-secret-name:e2e-secret-word@127.0.0.1:9"}}',
    TWELVE_DATA_KEY: 'e2e-secret-twelve',
    KITE_API_KEY: 'e2e-secret-kite',
  })
})
test.afterAll(() => server.stop())

/** Overrides the remaining days of the NSE calendar in the server's responses. */
function withDaysLeft(daysLeft: number | null) {
  return async (page: Page): Promise<void> => {
    await page.route('**/api/v1/admin/market', async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as { data: { calendars: { daysLeft: number | null }[] } }
      for (const [index, calendar] of answer.data.calendars.entries()) calendar.daysLeft = index === 0 ? daysLeft : null
      await route.fulfill({ response, json: answer })
    })
  }
}

const seriesRow = (page: Page, label: string) => page.getByRole('table', { name: 'Series' }).getByRole('row').filter({ hasText: label })
const sourceRow = (page: Page, title: string) => page.getByRole('table', { name: 'Sources' }).getByRole('row').filter({ hasText: title })

test('a user who is no admin sees the 403 picture', async ({ open }) => {
  const { page } = await open('/admin/market', { as: await addPerson('premium'), origin: server.origin })
  await see(page, /^403/)
})

test('an admin finds every source with its licence and what it lacks, and no secret', async ({ open }) => {
  const { page } = await open('/admin', { as: await addPerson('admin'), origin: server.origin })
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/api/v1/admin/market')),
    page.getByRole('navigation', { name: 'Admin pages' }).getByRole('link', { name: 'Market Data' }).click(),
  ])
  await arriveAt(page, '/admin/market')
  await page.getByRole('heading', { name: 'Market Data' }).waitFor()
  const nifty = seriesRow(page, 'NIFTY, NIFTY 50')
  await nifty.getByText('Not in view here').waitFor()
  expect(await nifty.getByRole('listitem').allTextContents()).toEqual([
    'Tezi demo generated prices',
    'Not used: Zerodha Kite, OpenAlgo, imported file, Yahoo Finance',
  ])
  // What is the same for many series is said once, beside the source.
  const kite = sourceRow(page, 'Zerodha Kite')
  expect(await kite.getByRole('listitem').allTextContents()).toEqual([
    'KITE_ACCESS_TOKEN not set · needs a licence of BSE · Zerodha: licensed (KITE-3) SENSEX',
    'KITE_ACCESS_TOKEN not set · NSE: licensed, 15 min late (NSE/2026/17) · Zerodha: licensed (KITE-3) NIFTY, NIFTY 50, BANKNIFTY, FINNIFTY, TATA MOTORS, RELIANCE, TATA STEEL, HAVELLS, BAJAJ FINANCE',
  ])
  const twelve = sourceRow(page, 'Twelve Data')
  expect(await twelve.getByText('needs a licence of Twelve Data').count()).toBe(1)
  await twelve.getByText('not used', { exact: true }).waitFor()
  await seriesRow(page, 'ETH/USDT').getByText('Open', { exact: true }).waitFor()
  const text = (await answer.text()) + (await page.content())
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
})

test('the state of an open series appears at the next Refresh', async ({ open }) => {
  const { page } = await open('/admin/market', { as: await addPerson('admin'), origin: server.origin })
  const bank = seriesRow(page, 'BANKNIFTY')
  await bank.getByText('Not in view here').waitFor()
  const status = await page.evaluate(async () => {
    const headers = { 'session-token': localStorage.getItem('sessionToken') ?? '' }
    return (await fetch('/api/v1/market/candles/banknifty?limit=5', { headers })).status
  })
  expect(status).toBe(200)
  await press(page, 'Refresh')
  await bank.getByText('DEMO', { exact: true }).waitFor()
  await bank.getByRole('listitem').filter({ hasText: 'Tezi demo in use' }).waitFor()
})

for (const { name, size, details } of taggedSizes) {
  test.describe(`at ${name}`, details, () => {
    test('a calendar that ends soon is shown above All Users, with a link to the market data', async ({ open }) => {
      const { page } = await open('/admin', { as: await addPerson('admin'), origin: server.origin, size, before: withDaysLeft(26) })
      await see(page, ending)
      await expectAccessible(page)
      await page.getByRole('main').getByRole('link', { name: 'Market Data' }).click()
      await arriveAt(page, '/admin/market')
      await see(page, ending)
      await page.getByText('26 days', { exact: true }).waitFor()
      await page.getByText('NIFTY, NIFTY 50', { exact: true }).waitFor()
      await expectAccessible(page)
    })

    test('a calendar with time left is not shown', async ({ open }) => {
      const { page } = await open('/admin', { as: await addPerson('admin'), origin: server.origin, size, before: withDaysLeft(null) })
      await Promise.all([page.waitForResponse((response) => response.url().endsWith('/api/v1/admin/market')), page.reload()])
      await see(page, 'Expiring in 7 days')
      expect(await page.getByText('Load the list of the next year.').count()).toBe(0)
    })
  })
}

test('on a phone the page opens from the sheet, and each series is a card', async ({ open }) => {
  const { page } = await open('/admin', { as: await addPerson('admin'), origin: server.origin, size: phone })
  await press(page, 'Menu')
  const sheet = page.getByRole('dialog', { name: 'Admin' })
  await sheet.getByRole('link', { name: 'Market Data' }).click()
  await arriveAt(page, '/admin/market')
  await sheet.waitFor({ state: 'hidden' })
  const card = page.getByRole('list', { name: 'Series' }).getByRole('listitem').filter({ hasText: 'NIFTY, NIFTY 50' })
  await card.getByText('Not used: Zerodha Kite', { exact: false }).waitFor()
  await expectNoSideScroll(page)
})

test('a holiday list is checked, previewed and imported; a closed notice stays away', async ({ open }) => {
  // Its own database: the list reaches every server of it.
  const own = await startOwnServer()
  try {
    const { page } = await open('/admin/market', { as: await addPerson('admin', own), origin: own.origin })
    await press(page, 'Close for a week')
    await page.reload()
    await seriesRow(page, 'NIFTY, NIFTY 50').waitFor()
    expect(await page.getByRole('button', { name: 'Close for a week' }).count()).toBe(0)
    await press(page, 'Import holiday list')
    const field = page.getByLabel('List', { exact: true })
    const head = ['exchange: nse, bse', 'from: 2027-01-01', 'until: 2027-12-31', 'source: NSE/CMTR/70000 of 11 December 2026']
    await field.fill([...head, 'Holi'].join('\n'))
    await press(page, 'Preview')
    await see(page, 'Line 5: begin with a date such as 2027-01-26 or 26-Jan-2027.')
    await field.fill([...head, '22-Mar-2027, Monday, Holi', '2027-10-29, Diwali, 18:00-19:00'].join('\n'))
    await press(page, 'Preview')
    await page.getByRole('region', { name: 'NSE, 01 Jan 2027 to 31 Dec 2027' }).getByText('18:00-19:00').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await see(page, 'Holiday list imported')
    await page
      .getByRole('table', { name: 'Calendars' })
      .getByRole('row')
      .filter({ hasText: 'NSE indices' })
      .getByText('31 Dec 2027')
      .waitFor()
    await page.close()
  } finally {
    await own.stop()
  }
})
