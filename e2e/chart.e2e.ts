// The chart page with the provider's widget: its parameters, when it shows, and its failures.
import { expect } from '@playwright/test'
import { widgetConfigOf, widgetFrames } from './harness/fake-widget.ts'
import { addPerson } from './harness/people.ts'
import { timeframeLabel, timeframes } from '../shared/candles/timeframe.ts'
import { arriveAt, press, see, seeNoMore } from './harness/see.ts'
import { noon, stopAtNoon } from './harness/noon.ts'
import { expectEventually, test } from './harness/test.ts'

test.describe('a premium user', () => {
  test('gets the chart that the menu, the timeframe and the settings ask for [spec 2.8]', async ({ open }) => {
    const { page } = await open('/eur-usd', { as: await addPerson('premium') })
    await seeNoMore(page, 'Loading chart...')
    expect(await widgetConfigOf(page)).toMatchObject({
      symbol: 'FX:EURUSD',
      interval: '1',
      timezone: 'Asia/Kolkata',
      theme: 'dark',
      style: '1',
      studies: [],
    })
    await see(page, 'Premium User')

    await page.getByRole('radio', { name: '15m' }).check()
    await expectEventually(() => widgetConfigOf(page)).toMatchObject({ symbol: 'FX:EURUSD', interval: '15' })
    expect(await page.getByTestId('timeframe-label').textContent()).toBe('15m')

    await page.getByRole('navigation', { name: 'Asset group' }).getByRole('link', { name: 'CRYPTO' }).click()
    await arriveAt(page, '/btc-usd')
    await page.getByRole('link', { name: 'ETH/USDT' }).click()
    await expectEventually(() => widgetConfigOf(page)).toMatchObject({ symbol: 'BINANCE:ETHUSDT', interval: '15' })

    await press(page, 'Settings')
    await see(page, 'Changes are saved automatically')
    await page.getByRole('switch', { name: 'Chart 3' }).click()
    await expectEventually(() => widgetConfigOf(page)).toMatchObject({
      symbol: 'BINANCE:ETHUSDT',
      interval: '15',
      studies: ['STD;Zig_Zag'],
    })
    await page.getByRole('switch', { name: 'Chart 4' }).click()
    await expectEventually(() => widgetConfigOf(page)).toMatchObject({ studies: ['STD;Zig_Zag', 'STD;Pivot%1Points%1Standard'] })
    await seeNoMore(page, 'Loading chart...')

    await page.reload()
    await expectEventually(() => widgetConfigOf(page)).toMatchObject({
      symbol: 'BINANCE:ETHUSDT',
      studies: ['STD;Zig_Zag', 'STD;Pivot%1Points%1Standard'],
    })
    await press(page, 'Settings')
    await press(page, 'Clear All Settings')
    await expectEventually(() => widgetConfigOf(page)).toMatchObject({ studies: [] })
    await expectEventually(() => widgetFrames(page).length).toBe(1)
  })

  test('uses the time zone of the browser under the name of the provider', async ({ open }) => {
    const { page } = await open('/btc-usdt', { as: await addPerson('premium'), zone: 'America/New_York' })
    await seeNoMore(page, 'Loading chart...')
    expect(await widgetConfigOf(page)).toMatchObject({ symbol: 'BINANCE:BTCUSDT', timezone: 'America/New_York' })
  })

  for (const [path, symbol] of [
    ['/reliance', 'BSE:RELIANCE'],
    ['/tata-motors', 'BSE:TMPV'],
    ['/bajaj-finance', 'BSE:BAJFINANCE'],
  ]) {
    test(`sees the daily candles of ${path} by TradingView whatever the timeframe`, async ({ open }) => {
      const { page } = await open(`${path}?tf=5`, { as: await addPerson('premium'), engine: 'tradingview' })
      await seeNoMore(page, 'Loading chart...')
      expect(await widgetConfigOf(page)).toMatchObject({ symbol, interval: '1D' })
      expect(await page.getByTestId('timeframe-label').textContent()).toBe('1D')
    })
  }

  test('opens a stock at each of the nine timeframes where its prices move', async ({ open }) => {
    const { page } = await open('/reliance', { as: await addPerson('premium') })
    for (const timeframe of timeframes) {
      await page.getByRole('radio', { name: timeframeLabel(timeframe), exact: true }).check()
      await expectEventually(() => page.getByTestId('timeframe-label').textContent()).toBe(timeframeLabel(timeframe))
    }
    await page.getByRole('radio', { name: '5m', exact: true }).check()
    await page.getByTestId('chart-legend').waitFor()
    await page.getByTestId('freshness').getByText('DEMO', { exact: true }).waitFor()
  })

  test('watches the countdown tick while the frame stays the same [spec 9.9]', async ({ open }) => {
    const { page, widget } = await open('/eur-usd', { as: await addPerson('premium'), before: stopAtNoon })
    await seeNoMore(page, 'Loading chart...')
    const frame = page.getByTestId('chart-frame')
    await frame.evaluate((element) => element.setAttribute('data-seen', 'before'))
    await page.clock.pauseAt(new Date('2026-11-20T12:03:30+05:30'))
    await expectEventually(() => page.getByTestId('countdown').textContent()).toBe('00:30')
    await page.clock.runFor(1000)
    await expectEventually(() => page.getByTestId('countdown').textContent()).toBe('00:29')
    await page.clock.runFor(29_000)
    await expectEventually(() => page.getByTestId('countdown').textContent()).toBe('01:00')
    await page.getByTestId('freshness').getByText('LIVE', { exact: true }).waitFor()
    expect(await frame.getAttribute('data-seen')).toBe('before')
    expect(widget.loads()).toBe(1)
  })
})

test.describe('the badge of the widget', () => {
  test('says CONNECTING while it loads, what it is when it has loaded, and STALE without a network', async ({ open }) => {
    const { page, widget } = await open('/btc-usdt', {
      as: await addPerson('premium'),
      before: async (_fresh, fake) => void (fake.mood = 'silent'),
    })
    const badge = page.getByTestId('freshness')
    await page.getByTestId('chart-frame').waitFor({ state: 'attached' })
    await badge.getByText('CONNECTING', { exact: true }).waitFor()
    expect(await badge.getByText('LIVE').count()).toBe(0)
    await widget.answer()
    await badge.getByText('LIVE', { exact: true }).waitFor()
    await page.context().setOffline(true)
    await badge.getByText('STALE', { exact: true }).waitFor()
    expect(await badge.getByText('LIVE').count()).toBe(0)
    await page.context().setOffline(false)
    await badge.getByText('LIVE', { exact: true }).waitFor()
  })

  test('of an end of day symbol says so', async ({ open }) => {
    const { page } = await open('/reliance?tf=1D', { as: await addPerson('premium') })
    await page.getByTestId('freshness').getByText('END OF DAY', { exact: true }).waitFor()
  })
})

test.describe('the loading overlay', () => {
  test('disappears 0.8 s after the widget has loaded [spec 4.9]', async ({ open }) => {
    const { page, widget } = await open('/eur-usd', {
      as: await addPerson('premium'),
      before: async (fresh, fake) => {
        fake.mood = 'silent'
        await fresh.clock.install({ time: noon })
      },
    })
    await see(page, 'Loading chart...')
    await page.getByTestId('chart-frame').waitFor({ state: 'attached' })
    await page.clock.pauseAt(new Date('2026-11-20T12:00:18+05:30'))
    await widget.answer()
    await page.frameLocator('[data-testid=chart-frame]').getByText('Chart').waitFor()
    await page.clock.runFor(700)
    await see(page, 'Loading chart...')
    await page.clock.runFor(200)
    await seeNoMore(page, 'Loading chart...')
  })
})

test.describe('a widget that does not load', () => {
  test('is replaced by the Tezi chart after 10 s, and can be retried', async ({ open }) => {
    const { page, widget } = await open('/eur-usd?tf=15', {
      as: await addPerson('premium'),
      before: async (fresh, fake) => {
        fake.mood = 'silent'
        await fresh.clock.install({ time: noon })
      },
    })
    await page.getByTestId('chart-frame').waitFor({ state: 'attached' })
    await page.clock.fastForward(10_000)
    await see(page, /^TradingView didn't respond/)
    await page.getByTestId('native-chart').waitFor()
    expect(widgetFrames(page)).toHaveLength(0)
    expect(await page.getByTestId('timeframe-label').textContent()).toBe('15m')
    expect(await page.getByTestId('reach-notice').count()).toBe(0)

    widget.mood = 'ready'
    await press(page, 'Try TradingView again')
    await expectEventually(() => widgetFrames(page).length).toBe(1)
    expect(await widgetConfigOf(page)).toMatchObject({ symbol: 'FX:EURUSD', interval: '15' })
  })

  test('shows an error card to a user who has chosen only the widget, and a retry brings the chart', async ({ open }) => {
    const { page, widget } = await open('/eur-usd', {
      as: await addPerson('premium'),
      engine: 'tradingview',
      before: async (fresh, fake) => {
        fake.mood = 'silent'
        await fresh.clock.install({ time: noon })
      },
    })
    await page.getByTestId('chart-frame').waitFor({ state: 'attached' })
    await see(page, 'Loading chart...')
    await page.clock.fastForward(10_000)
    await see(page, "Couldn't load the chart")
    const link = page.getByRole('link', { name: 'Open on TradingView' })
    expect(await link.getAttribute('href')).toContain('https://www.tradingview.com/')
    // The rest of the page works without the provider.
    await page.getByRole('button', { name: 'Sign Out' }).waitFor()

    widget.mood = 'ready'
    await press(page, 'Retry')
    await seeNoMore(page, "Couldn't load the chart")
    await seeNoMore(page, 'Loading chart...')
    expect(widgetFrames(page)).toHaveLength(1)
  })

  test('is reported when it has no candles', async ({ open }) => {
    const { page } = await open('/eur-usd', {
      as: await addPerson('premium'),
      engine: 'tradingview',
      before: async (_, fake) => {
        fake.mood = 'no-data'
      },
    })
    await see(page, 'TradingView has no data for this chart')
    await press(page, 'Open Tezi chart')
    await page.getByTestId('chart-legend').waitFor()
  })

  test('is not requested for an unsupported exchange', async ({ open }) => {
    const { page, widget } = await open('/', { as: await addPerson('premium') })
    await page.getByTestId('chart-legend').waitFor()
    expect(widget.loads()).toBe(0)
  })
})
