// Connection loss of a feed and of the server: prices are marked stale, and the page recovers by itself.
import { expect, type Page } from '@playwright/test'
import { binanceDialect } from '../server/features/market-data/feeds/testing/fake-binance-server.ts'
import { letTimePass } from '../server/features/market-data/feeds/testing/let-time-pass.ts'
import { manualClock } from '../server/features/market-data/feeds/testing/manual-clock.ts'
import { scriptedExchange, type ScriptedExchange } from '../server/features/market-data/feeds/testing/scripted-exchange.ts'
import { goFarBack, legend, seeTick, timesInView } from './harness/native-chart.ts'
import { addPerson } from './harness/people.ts'
import { press } from './harness/see.ts'
import { startServer, testSettings, type ServerProcess } from './harness/server-process.ts'
import { type Open, expectEventually, test } from './harness/test.ts'
import { world } from './harness/world.ts'

// These tests stop and start one server, so they run serially.
test.describe.configure({ mode: 'default' })

const startMs = Date.now()
const clock = manualClock(startMs)
let exchange: ScriptedExchange
let server: ServerProcess
let isLost = false
let stopTime: () => Promise<void>

const minuteMs = 60_000
const dayMs = 1_440 * minuteMs
/** The whole current day at any hour, so that the menu has its day, and more than one page of history. */
const minutesBefore = Math.ceil(((startMs % dayMs) + 2 * dayMs) / minuteMs)

/** A trade a minute, and from now on two a second, so that silence is never the market's own. */
function* trades() {
  const endMs = startMs + 900_000
  for (let timeMs = startMs - minutesBefore * minuteMs, at = 0; timeMs < endMs; timeMs += timeMs < startMs ? minuteMs : 500, at += 1)
    yield { timeMs, price: 90_000 + (at % 97) * 5, size: 0.25, isTakerBuy: at % 2 === 0 }
}

function start(port = 0): Promise<ServerProcess> {
  return startServer({
    DATABASE_URL: world().databaseUrl,
    ...testSettings,
    PORT: String(port),
    MARKET_SOURCES: 'binance',
    MARKET_URLS: JSON.stringify({ binance: { restUrl: exchange.restUrl, socketUrl: exchange.socketUrl } }),
  })
}

test.beforeAll(async () => {
  exchange = await scriptedExchange({ dialect: binanceDialect, clock, trades: { BTCUSDT: [...trades()] } })
  stopTime = letTimePass(exchange, clock)
  server = await start()
})

// Restores what a failed attempt has lost for the next one.
test.beforeEach(async () => {
  exchange.faults.rejectDialWith = undefined
  if (isLost) server = await start(Number(new URL(server.origin).port))
  isLost = false
})

test.afterAll(async () => {
  if (!isLost) await server.stop()
  await stopTime()
  await exchange.close()
})

const freshness = (page: Page) => page.getByTestId('freshness')
const stale = (page: Page) => freshness(page).getByText('STALE')

/** Collects all text drawn on any canvas of this page from now on. */
async function listenToPens(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const written: string[] = []
    // Called below with its canvas context.
    // oxlint-disable-next-line typescript/unbound-method
    const { fillText } = CanvasRenderingContext2D.prototype
    CanvasRenderingContext2D.prototype.fillText = function write(text, ...place) {
      written.push(text)
      fillText.call(this, text, ...place)
    }
    Object.assign(window, { written })
  })
  return () => page.evaluate(() => (window as unknown as { written: string[] }).written)
}

async function liveChart(open: Open): Promise<Page> {
  const { page } = await open('/btc-usdt', { as: await addPerson('premium'), origin: server.origin, engine: 'tezi' })
  await freshness(page).getByText('LIVE').waitFor()
  await seeTick(page)
  await page.evaluate(() => document.body.setAttribute('data-seen', 'before'))
  return page
}

/** Live connection and heartbeats fail, as intended here. */
function forgive(pageErrors: string[]): void {
  pageErrors.splice(0, pageErrors.length, ...pageErrors.filter((error) => !/WebSocket|ERR_CONNECTION|could not be loaded/.test(error)))
}

test.describe('a feed that is lost', () => {
  test('shows at every price, and recovers', async ({ open }) => {
    const page = await liveChart(open)
    const menu = page.locator('[data-slug=btc-usdt]').getByTestId('menu-price')
    await expectEventually(() => menu.textContent()).toMatch(/LIVE$/)
    expect(await stale(page).count()).toBe(0)
    exchange.faults.rejectDialWith = 503
    await exchange.cut()
    await stale(page).waitFor()
    await expectEventually(() => menu.textContent()).toContain('STALE')
    expect(await page.getByRole('application').getAttribute('aria-label')).toMatch(/, STALE$/)

    await press(page, 'Data table')
    await page.getByText(/visible bars, newest first\. STALE Source: Binance/).waitFor()
    await press(page, 'Back to chart')
    const written = await listenToPens(page)
    const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Save image')])
    expect(file.suggestedFilename()).toBe('btc-usdt-1m.png')
    expect((await written()).filter((text) => text.includes('STALE'))).toEqual([
      expect.stringMatching(/^STALE {3}Source: Binance {3}\d{1,2} [A-Z][a-z]{2} \d{4}, \d?\d:\d\d:\d\d [AP]M UTC/),
    ])

    exchange.faults.rejectDialWith = undefined
    await stale(page).waitFor({ state: 'hidden', timeout: 40_000 })
    await seeTick(page)
    expect(await page.locator('body').getAttribute('data-seen')).toBe('before')
  })
})

test.describe('a server that is restarted', () => {
  test('is reconnected without a reload, and older candles stay in view', { tag: '@slow' }, async ({ open, pageErrors }) => {
    const page = await liveChart(open)
    await goFarBack(page)
    const older = await timesInView(page)
    const port = Number(new URL(server.origin).port)
    isLost = true
    await server.stop()
    await stale(page).waitFor()
    expect(await legend(page).textContent()).not.toBe('')
    server = await start(port)
    isLost = false
    await stale(page).waitFor({ state: 'hidden', timeout: 40_000 })
    await freshness(page).getByText('LIVE').waitFor()
    await expectEventually(() => timesInView(page)).toEqual(older)
    await seeTick(page)
    expect(await timesInView(page)).toEqual(older)
    expect(await page.locator('body').getAttribute('data-seen')).toBe('before')
    forgive(pageErrors)
  })
})
