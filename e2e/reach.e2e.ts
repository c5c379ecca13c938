// Unreachable TradingView: detected, shown once, remembered for the session, and used again when it is back.
import { expect, type Page } from '@playwright/test'
import { widgetFrames, type FakeWidget, type WidgetMood } from './harness/fake-widget.ts'
import { legend } from './harness/native-chart.ts'
import { addPerson } from './harness/people.ts'
import { press, see } from './harness/see.ts'
import { expectEventually, phone, test, type Open } from './harness/test.ts'

const notice = (page: Page) => page.getByTestId('reach-notice')
const lost = /^TradingView can't be reached/

async function openWith(open: Open, mood: WidgetMood, path = '/eur-usd'): Promise<{ page: Page; widget: FakeWidget }> {
  return open(path, {
    as: await addPerson('premium'),
    before: async (_, widget) => {
      widget.mood = mood
    },
  })
}

/** The Tezi chart shows candles. */
const candles = (page: Page) =>
  legend(page)
    .getByText(/^O\s?\d/)
    .first()
    .waitFor()

for (const [mood, words] of [
  ['not-found', lost],
  ['vanished', /^TradingView/],
] as const)
  test(`a provider that is ${mood} gives way to our own chart on every instrument, with one line`, async ({ open }) => {
    const { page, widget } = await openWith(open, mood)
    await notice(page).getByText(words).waitFor()
    await candles(page)
    for (const name of ['GBP/USD', 'USD/JPY', 'EUR/JPY']) {
      const link = page.getByRole('navigation', { name: 'Instruments' }).getByRole('link', { name, exact: true })
      await link.click()
      await page.getByRole('heading', { name }).waitFor()
      await candles(page)
    }
    // Only the first chart tried a frame.
    expect(widget.loads()).toBeLessThanOrEqual(1)
    expect(widgetFrames(page)).toEqual([])
    await page.getByRole('radio', { name: 'Two charts' }).click()
    await expectEventually(() => legend(page).count()).toBe(2)
    expect(await notice(page).count()).toBe(1)
    await expectEventually(() => page.getByText('Loading chart...').count()).toBe(0)

    // Remembered for the session: a new page does not even try a frame.
    const before = widget.loads()
    await page.reload()
    await candles(page)
    expect(widget.loads()).toBe(before)
  })

test('a provider that is back is used for the next chart, or immediately on request', async ({ open }) => {
  const { page, widget } = await openWith(open, 'not-found')
  await notice(page).getByText(lost).waitFor()
  widget.mood = 'ready'
  await notice(page)
    .getByText(/^TradingView is back/)
    .waitFor()
  // The current chart stays.
  expect(widgetFrames(page)).toEqual([])
  await page.getByRole('link', { name: 'GBP/USD' }).click()
  await page.getByTestId('chart-frame').waitFor()
  expect(await notice(page).count()).toBe(0)
})

test('a retry is one click away.', async ({ open }) => {
  const { page, widget } = await openWith(open, 'not-found')
  await notice(page).getByText(lost).waitFor()
  widget.mood = 'ready'
  await press(page, 'Retry')
  await page.getByTestId('chart-frame').waitFor()
  await expectEventually(() => notice(page).count()).toBe(0)
})

test('the notice is one low line, closes for the session, and leaves a chart without prices to its card', async ({ open }) => {
  const { page } = await open('/eur-usd', {
    as: await addPerson('premium'),
    size: phone,
    before: async (_, widget) => {
      widget.mood = 'not-found'
    },
  })
  await notice(page).getByText(lost).waitFor()
  expect((await notice(page).boundingBox())?.height).toBeLessThanOrEqual(46)
  await notice(page).getByRole('button', { name: 'Close' }).click()
  expect(await notice(page).count()).toBe(0)
  await page.reload()
  await candles(page)
  expect(await notice(page).count()).toBe(0)
})

test('a user who has chosen only the widget gets the card immediately', async ({ open }) => {
  const { page, widget } = await open('/eur-usd', {
    as: await addPerson('premium'),
    engine: 'tradingview',
    before: async (_, fake) => {
      fake.mood = 'not-found'
    },
  })
  await see(page, "Couldn't load the chart")
  expect(await notice(page).count()).toBe(0)
  widget.mood = 'ready'
  await press(page, 'Retry')
  await page.getByTestId('chart-frame').waitFor()
})
