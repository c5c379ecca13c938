// Every chart address in a production start without a key: a chart or an error card, never blank, never LIVE without reason.
import { expect, type Page } from '@playwright/test'
import { chartPaths, findInstrumentAt } from '../shared/instruments/instruments.ts'
import { widgetConfigOf } from './harness/fake-widget.ts'
import { startOwnServer, type OwnServer } from './harness/own-server.ts'
import { addPerson, headersOf, type Person } from './harness/people.ts'
import { sql } from './harness/sql.ts'
import { expectEventually, test } from './harness/test.ts'

// One server for both tests.
test.describe.configure({ mode: 'default' })

/** Nothing here leaves the machine, so the public sources are off as well. */
const production = {
  NODE_ENV: 'production',
  RATE_LIMITS: 'on',
  PASSWORD_HASHES: 'standard',
  ADMIN_TWO_FACTOR: 'optional',
  MARKET_SOURCES: 'none',
}

let server: OwnServer
let person: Person

test.beforeAll(async () => {
  server = await startOwnServer(production)
  await sql('delete from instrument_settings', [], server.databaseUrl)
  person = await addPerson('premium', server)
  const headers = await headersOf(person)
  await expectEventually(async () => (await fetch(`${server.origin}/api/v1/market/charts/nifty`, { headers })).text()).toContain(
    'NIFTYBEES',
  )
})
test.afterAll(() => server.stop())

/** Navigates to another chart without a page load. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}

const proxied = (name: string) => new RegExp(`PROXY: ${name}`)
const live = /^(LIVE|CLOSED)/
const daily = /^END OF DAY/

/** What a premium user sees at 1m: the widget's symbol, its timeframe and the badges. */
const charts: Readonly<Record<string, readonly [symbol: string, timeframe: string, badges: RegExp]>> = {
  '/eur-usd': ['FX:EURUSD', '1', live],
  '/gbp-usd': ['FX:GBPUSD', '1', live],
  '/eur-gbp': ['FX:EURGBP', '1', live],
  '/usd-cad': ['FX:USDCAD', '1', live],
  '/usd-jpy': ['FX:USDJPY', '1', live],
  '/cad-jpy': ['FX:CADJPY', '1', live],
  '/aud-usd': ['FX:AUDUSD', '1', live],
  '/gbp-jpy': ['FX:GBPJPY', '1', live],
  '/eur-jpy': ['FX:EURJPY', '1', live],
  '/btc-usd': ['COINBASE:BTCUSD', '1', live],
  '/btc-usdt': ['BINANCE:BTCUSDT', '1', live],
  '/xau-usd': ['OANDA:XAUUSD', '1', live],
  '/bitcoin': ['COINBASE:BTCUSD', '1', live],
  '/cake-usdt': ['BINANCE:CAKEUSDT', '1', live],
  '/eth-usdt': ['BINANCE:ETHUSDT', '1', live],
  '/doge-usdt': ['BINANCE:DOGEUSDT', '1', live],
  '/sensex': ['BSE:SENSEX', '1D', daily],
  '/tata-motors': ['BSE:TMPV', '1D', daily],
  '/reliance': ['BSE:RELIANCE', '1D', daily],
  '/tata-steel': ['BSE:TATASTEEL', '1D', daily],
  '/havells': ['BSE:HAVELLS', '1D', daily],
  '/bajaj-finance': ['BSE:BAJFINANCE', '1D', daily],
  '/': ['STONEXTRADING:INDIA50CFD', '1', proxied('India 50 CFD')],
  '/nifty50': ['STONEXTRADING:INDIA50CFD', '1', proxied('India 50 CFD')],
  '/es': ['FOREXCOM:SPX500', '1', proxied('S&P 500 CFD')],
  '/gold-future': ['OANDA:XAUUSD', '1', proxied('Gold spot')],
  '/banknifty': ['BSE:BANKBEES', '1D', proxied('Nippon India Nifty Bank BeES ETF')],
  '/finnifty': ['BSE:BANKBEES', '1D', proxied('Nippon India Nifty Bank BeES ETF')],
}

test('with TradingView, each is a chart with its labels', { tag: '@slow' }, async ({ open }) => {
  expect(Object.keys(charts).toSorted()).toEqual(chartPaths.toSorted())
  const { page } = await open('/eur-usd', { as: person, before: (fresh) => fresh.clock.install() })
  const badges = page.getByTestId('freshness')
  for (const [path, [symbol, interval, words]] of Object.entries(charts)) {
    await goTo(page, path)
    await expectEventually(() => widgetConfigOf(page), path).toMatchObject({ symbol, interval })
    await page.frameLocator('[data-testid=chart-frame]').getByText('Chart').waitFor()
    // The overlay stays for 0.8 s.
    await expectEventually(async () => {
      await page.clock.fastForward(900)
      return badges.innerText()
    }, path).toMatch(words)
    expect(await page.getByTestId('chart-loading').count(), path).toBe(0)
  }
})

test('without TradingView, each is a card that says where to look, and nothing is LIVE', { tag: '@slow' }, async ({ open }) => {
  const { page } = await open('/eur-usd', {
    as: person,
    before: async (_, widget) => {
      widget.mood = 'not-found'
    },
  })
  for (const path of chartPaths) {
    await goTo(page, path)
    await page.getByRole('heading', { name: 'No prices for this chart' }).waitFor()
    const link = page.getByRole('link', { name: 'Open on TradingView' })
    await expectEventually(() => link.getAttribute('href'), path).toContain(encodeURIComponent(findInstrumentAt(path)?.symbol ?? 'none'))
    expect(await page.getByText('LIVE', { exact: true }).count(), path).toBe(0)
    // The card says it all.
    expect(await page.getByTestId('reach-notice').count(), path).toBe(0)
  }
})

test('the card has no tools of a chart, and tells an operator what to set up', { tag: '@slow' }, async ({ open }) => {
  const { page } = await open('/banknifty', { as: await addPerson('admin', server), engine: 'tezi' })
  await page.getByText(/As the operator, set up a price source/).waitFor()
  expect(await page.getByRole('toolbar').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Chart options' }).count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Market Data' }).getAttribute('href')).toBe('/admin/market')
  expect(await page.getByRole('link', { name: 'Instruments' }).getAttribute('href')).toBe('/admin/instruments')
})
