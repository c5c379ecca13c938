// A Tezi chart that shows other prices, or another timeframe, shows the same time as before.
import { expect, type Page } from '@playwright/test'
import { canvas, chooseTimeframe, goFarBack, legend, timesInView, tool } from './harness/native-chart.ts'
import { addPerson } from './harness/people.ts'
import { press } from './harness/see.ts'
import { expectEventually, test } from './harness/test.ts'

const minuteMs = 60_000
const newestOf = ([time]: readonly string[]): number => Date.parse(`${time} UTC`)
const spanOf = (times: readonly string[]): number => newestOf(times) - newestOf(times.slice(-1))
const latest = (page: Page) => page.getByRole('button', { name: 'Latest', exact: true })

async function adjustFor(page: Page, choice: string): Promise<void> {
  const covered = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const watch = new MutationObserver(() => {
          if (document.querySelector('[data-testid=chart-loading]') === null) return
          watch.disconnect()
          resolve()
        })
        watch.observe(document.body, { childList: true, subtree: true })
      }),
  )
  await press(page, 'Chart options')
  await page.getByRole('radio', { name: choice }).click()
  await covered
  await page.getByTestId('chart-loading').waitFor({ state: 'hidden' })
}

test('a change of the price adjustment keeps zoom and visible time, near and far', { tag: '@slow' }, async ({ open }) => {
  const { page } = await open('/reliance?tf=1D', { as: await addPerson('premium'), engine: 'tezi' })
  await legend(page).waitFor()
  const all = await timesInView(page)
  for (let at = 0; at < 3; at += 1) await canvas(page).press('+')
  const newest = await timesInView(page)
  expect(newest.length).toBeLessThan(all.length)
  await adjustFor(page, 'Nothing')
  await expectEventually(() => timesInView(page)).toEqual(newest)
  await goFarBack(page)
  const older = await timesInView(page)
  expect(older).not.toContain(newest.at(-1))
  await adjustFor(page, '+ demergers')
  await expectEventually(() => timesInView(page)).toEqual(older)
  await adjustFor(page, 'Splits, bonuses')
  await expectEventually(() => timesInView(page)).toEqual(older)
})

test('a change of timeframe keeps chart, time, tool, undo and panel; a change of instrument keeps chart, zoom and panel', async ({
  open,
}) => {
  const { page } = await open('/btc-usdt?tf=5', { as: await addPerson('premium'), engine: 'tezi' })
  await legend(page).waitFor()
  await canvas(page)
    .locator('canvas')
    .first()
    .evaluate((element) => element.setAttribute('data-seen', 'before'))
  const expectSameChart = () => expect(canvas(page).locator('canvas[data-seen=before]')).toHaveCount(1)
  for (let at = 0; at < 3; at += 1) await canvas(page).press('+')
  for (let at = 0; at < 10; at += 1) await canvas(page).press('PageUp')
  await canvas(page).press('Escape')
  await latest(page).waitFor()
  await press(page, 'Studies')
  const panel = page.getByTestId('studies-panel')
  await panel.waitFor()
  const before = await timesInView(page)
  await tool(page, 'Horizontal line').click()
  await page.mouse.click(500, 400)
  await tool(page, 'Trend line').click()
  const choose = async (label: string) => {
    await page.getByRole('radio', { name: label, exact: true }).check()
    await legend(page).waitFor()
    await expectSameChart()
    await panel.waitFor()
    await latest(page).waitFor()
    expect(await tool(page, 'Trend line').getAttribute('aria-pressed')).toBe('true')
    expect(await tool(page, 'Undo').getAttribute('aria-disabled')).toBe('false')
  }
  await choose('15m')
  await expectEventually(async () => Math.abs(newestOf(await timesInView(page)) - newestOf(before))).toBeLessThan(15 * 60_000)
  await choose('5m')
  await expectEventually(() => timesInView(page)).toEqual(before)
  await page.getByRole('link', { name: /^ETH\/USDT/ }).click()
  await legend(page).waitFor()
  await expectSameChart()
  await panel.waitFor()
  await expectEventually(() => timesInView(page)).toEqual(before)
})

test('at the newest bar the zoom is kept: the bars for an instrument, the time for a timeframe', { tag: '@slow' }, async ({ open }) => {
  const { page } = await open('/btc-usdt?tf=5', { as: await addPerson('premium'), engine: 'tezi' })
  await legend(page).waitFor()
  const barCount = async () => (await timesInView(page)).length
  const start = await barCount()
  for (let at = 0; at < 8; at += 1) await canvas(page).press('+')
  const zoomed = await timesInView(page)
  expect(zoomed.length).toBeLessThan(start / 4)

  await page.getByRole('link', { name: /^ETH\/USDT/ }).click()
  await page.getByRole('heading', { name: /^ETH\/USDT/ }).waitFor()
  await expectEventually(async () => Math.abs((await barCount()) - zoomed.length)).toBeLessThanOrEqual(1)
  expect(await latest(page).count()).toBe(0)

  await chooseTimeframe(page, '1m')
  await expectEventually(async () => Math.abs(spanOf(await timesInView(page)) - spanOf(zoomed))).toBeLessThanOrEqual(10 * minuteMs)
  expect(await latest(page).count()).toBe(0)
  await chooseTimeframe(page, '5m')
  await expectEventually(async () => Math.abs((await barCount()) - zoomed.length)).toBeLessThanOrEqual(1)

  // A page that is opened starts at the newest bar with the usual zoom.
  await page.reload()
  await legend(page).waitFor()
  await expectEventually(async () => Math.abs((await barCount()) - start)).toBeLessThanOrEqual(1)
})

test('what belonged to one series is reset: its price range, and a time too far back for the next', { tag: '@slow' }, async ({ open }) => {
  const { page } = await open('/btc-usdt?tf=1D', { as: await addPerson('premium'), engine: 'tezi' })
  await legend(page).waitFor()
  const isFitted = async () => {
    await page.getByRole('button', { name: /^Axes:/ }).click()
    const checked = await fit(page).isChecked()
    await page.keyboard.press('Escape')
    return checked
  }
  const loosen = async () => {
    await page.getByRole('button', { name: /^Axes:/ }).click()
    await fit(page).uncheck()
    await page.keyboard.press('Escape')
    expect(await isFitted()).toBe(false)
  }
  await loosen()
  await page.getByRole('link', { name: /^ETH\/USDT/ }).click()
  await page.getByRole('heading', { name: /^ETH\/USDT/ }).waitFor()
  await expectEventually(isFitted).toBe(true)
  await loosen()
  await chooseTimeframe(page, '4h')
  await expectEventually(isFitted).toBe(true)

  // Half a million bars of a minute would have to be loaded: the newest are shown.
  await chooseTimeframe(page, '1D')
  await goFarBack(page)
  await latest(page).waitFor()
  await chooseTimeframe(page, '1m')
  await latest(page).waitFor({ state: 'detached' })
  expect(Date.now() - newestOf(await timesInView(page))).toBeLessThan(1_440 * minuteMs)
})

const fit = (page: Page) => page.getByRole('checkbox', { name: 'Fit the price scale to the visible bars' })
