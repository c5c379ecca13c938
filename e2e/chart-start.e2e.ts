// How a chart starts: before the app that it belongs to, and with a mark where its prices begin.
import { expect, type Page } from '@playwright/test'
import { canvas, legend } from './harness/native-chart.ts'
import { addPerson } from './harness/people.ts'
import { expectEventually, test } from './harness/test.ts'

test('a chart says since when there are prices while its first bar is visible', async ({ open }) => {
  const { page } = await open('/?tf=1D', { as: await addPerson('free') })
  await legend(page).waitFor()
  const note = legend(page).getByText(/^Starts on [A-Z][a-z]{2} \d+ [A-Z][a-z]{2} \d{4}: no older data from this source\.$/)
  expect(await note.count()).toBe(0)
  await expectEventually(async () => {
    await canvas(page).press('Home')
    return note.count()
  }).toBe(1)
  await canvas(page).press('End')
  await note.waitFor({ state: 'detached' })
})

/** Holds the app's own code back; returns its release. */
async function holdApp(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/assets\/open-app-[\w-]+\.js$/, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Subscriptions of the charts, as sent. */
function watchSubscriptions(page: Page): string[] {
  const sent: string[] = []
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const { t, slug, timeframe } = JSON.parse(String(payload)) as Record<string, string>
      if (t === 'sub') sent.push(`${slug} ${timeframe}`)
    }),
  )
  return sent
}

/** Records how far painted content jumps; see https://web.dev/articles/cls. */
async function recordShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    const isShift = (entry: PerformanceEntry): entry is PerformanceEntry & { readonly value: number } => 'value' in entry
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (isShift(entry)) shifts.push(entry.value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (Reflect.get(window, 'shifts') as number[]).reduce((sum, shift) => sum + shift, 0))
}

test('a chart is on the page, with its label, before the app has loaded, which then takes it over', async ({ open }) => {
  let release = (): void => undefined
  let sent: string[] = []
  let shifted = (): Promise<number> => Promise.resolve(Number.NaN)
  const { page } = await open('/?tf=5', {
    as: await addPerson('free'),
    engine: 'tezi',
    before: async (fresh) => {
      sent = watchSubscriptions(fresh)
      release = await holdApp(fresh)
      shifted = await recordShifts(fresh)
    },
  })
  await page.getByText('DEMO', { exact: true }).waitFor()
  await page.getByText('NIFTY 5m', { exact: true }).waitFor()
  const early = await page.locator('canvas').first().elementHandle()
  release()
  await legend(page).waitFor()
  expect(
    await canvas(page)
      .locator('canvas')
      .first()
      .evaluate((shown, first) => shown === first, early),
  ).toBe(true)
  expect(sent).toEqual(['nifty 5'])
  // Moving labels and the rows of the app's own bars.
  expect(await shifted()).toBeLessThan(0.05)
})

test('a locked chart is not started for a free user', async ({ open }) => {
  let sent: string[] = []
  const { page } = await open('/banknifty', {
    as: await addPerson('free'),
    engine: 'tezi',
    before: async (fresh) => void (sent = watchSubscriptions(fresh)),
  })
  await page.getByRole('heading', { name: 'Premium user required' }).waitFor()
  expect(sent).toEqual([])
})
