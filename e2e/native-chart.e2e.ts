// The Tezi chart with a real server, a real socket and generated prices.
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './harness/accessible.ts'
import { canvas, hasColour, legend, seeTick, spoken, timesInView } from './harness/native-chart.ts'
import { addPerson } from './harness/people.ts'
import { arriveAt, press, see, seeNoMore } from './harness/see.ts'
import { expectEventually, phone, test } from './harness/test.ts'

/** Moves to the first loaded bar, and returns its description. */
async function firstBar(page: Page): Promise<string | null> {
  await canvas(page).press('Home')
  return spoken(page)
}

interface Countdowns {
  readonly header: string | null
  readonly axis: string
}

/** The changing countdown in the header, each time with the one drawn on the axis. */
function countdowns(page: Page, count: number): Promise<readonly Countdowns[]> {
  return page.evaluate(async (count) => {
    const pen = CanvasRenderingContext2D.prototype
    const write = Reflect.get(pen, 'fillText')
    let axis = ''
    pen.fillText = function spied(text, ...place) {
      // The time axis is wider, and has times of this format too.
      if (this.canvas.width < 120 && /^\d\d:\d\d$/.test(text)) axis = text
      Reflect.apply(write, this, [text, ...place])
    }
    const clock = document.querySelector('[data-testid=countdown]') as Element
    const pairs: Countdowns[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const look = () => {
      if (pairs.push({ header: clock.textContent, axis }) === count) resolve()
    }
    const watcher = new MutationObserver(() => requestAnimationFrame(look))
    watcher.observe(clock, { childList: true, characterData: true, subtree: true })
    await promise
    watcher.disconnect()
    pen.fillText = write
    return pairs
  }, count)
}

test.describe('the default chart', () => {
  test('shows NIFTY with its label and ticks', async ({ open }) => {
    const { page, widget } = await open('/', { as: await addPerson('free') })
    await seeTick(page)
    expect(await page.getByTestId('freshness').textContent()).toContain('DEMO')
    expect(await page.getByTestId('native-chart').getAttribute('data-mode')).toBe('demo')
    await see(page, 'Charts by TradingView')
    // The countdown follows the generated market, which never closes.
    expect(await page.getByTestId('countdown').getAttribute('data-market')).toBe('running')
    expect(widget.loads()).toBe(0)
  })

  test('counts down on the axis as in the header', async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('free') })
    await seeTick(page)
    const pairs = await countdowns(page, 3)
    expect(pairs.map(({ axis }) => axis)).toEqual(pairs.map(({ header }) => header))
    expect(new Set(pairs.map(({ header }) => header)).size).toBe(3)
  })

  test('ticks after the sign-in, during which it was loaded', async ({ open }) => {
    const person = await addPerson('free')
    const { page } = await open('/login')
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    const [fetchedAt] = await Promise.all([
      page.waitForRequest(/native-stage/).then(() => new URL(page.url()).pathname),
      // A pointer over the chart would show the bar below it.
      page.getByLabel('Password', { exact: true }).press('Enter'),
    ])
    expect(fetchedAt).toBe('/login')
    await arriveAt(page, '/')
    await seeTick(page)
  })

  test('loads older bars as the view gets near the first one', async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('free') })
    await seeTick(page)
    const first = await firstBar(page)
    await expectEventually(() => firstBar(page)).not.toBe(first)
  })

  test('is navigated bar by bar with the keyboard, with each bar announced', async ({ open }) => {
    const { page } = await open('/?tf=5', { as: await addPerson('free') })
    await seeTick(page)
    await canvas(page).press('End')
    const last = await spoken(page)
    expect(last).toMatch(/\d?\d:\d\d [AP]M: open [\d,.]+, high [\d,.]+, low [\d,.]+, close [\d,.]+, change /)
    await canvas(page).press('ArrowLeft')
    await canvas(page).press('ArrowLeft')
    const third = await spoken(page)
    expect(minuteOf(third)).toBe((minuteOf(last) + 1_430) % 1_440)
    await canvas(page).press('ArrowRight')
    expect(minuteOf(await spoken(page))).toBe((minuteOf(last) + 1_435) % 1_440)
    await canvas(page).press('Escape')
    await seeTick(page)
  })

  test('shows the visible bars as a table, more of them after zooming out', async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('free') })
    await seeTick(page)
    const rows = page.getByTestId('bar-table').getByRole('row')
    await press(page, 'Data table')
    const before = await rows.count()
    await press(page, 'Back to chart')
    await canvas(page).press('-')
    await canvas(page).press('-')
    await press(page, 'Data table')
    await expectEventually(() => rows.count()).toBeGreaterThan(before)
    await see(page, /visible bars, newest first\. DEMO/)
    await expectAccessible(page)
  })

  test('merges bars if more are visible than there are pixels, and says so', async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('free') })
    await seeTick(page)
    const joined = async () => Number(/each bar combines (\d+)/.exec((await legend(page).textContent()) ?? '')?.[1] ?? 1)
    await expectEventually(async () => (await canvas(page).press('-'), joined()), { timeout: 20_000 }).toBeGreaterThan(2)
    await canvas(page).press('ArrowLeft')
    await canvas(page).press('ArrowLeft')
    const count = await joined()
    expect(await spoken(page)).toMatch(
      new RegExp(`\\d?\\d:\\d\\d [AP]M \u2013 .*\\d?\\d:\\d\\d [AP]M \\(${count} bars\\): open [\\d,.]+, high`),
    )
    // The newest price is not merged, and keeps updating.
    await canvas(page).press('Escape')
    await seeTick(page)
    await expectEventually(async () => (await canvas(page).press('+'), joined())).toBe(1)
  })

  test('follows the pointer that drags it, however far it is zoomed out', { tag: '@slow' }, async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('free') })
    await seeTick(page)
    for (let at = 0; at < 8; at += 1) await canvas(page).press('-')
    const box = await canvas(page).boundingBox()
    if (box === null) throw new Error('The chart has no place')
    const [x, y] = [box.x + 60, box.y + box.height / 2]
    const held = async () => Date.parse(/\d+ \w{3} \d{4} +\d?\d:\d\d [AP]M/.exec((await legend(page).textContent()) ?? '')?.[0] ?? '')
    for (let pull = 0; pull < 3; pull += 1) {
      await page.mouse.move(x, y)
      await expectEventually(held).not.toBeNaN()
      await page.mouse.down()
      // The library starts a drag some pixels later.
      await page.mouse.move(x + 12, y, { steps: 12 })
      const before = await held()
      await page.mouse.move(x + 300, y, { steps: 10 })
      await page.mouse.move(x + box.width - 240, y, { steps: 20 })
      // A bar is hardly wider than a pixel here, and this market has one every minute.
      await expectEventually(async () => Math.abs((await held()) - before)).toBeLessThanOrEqual(3 * 60_000)
      await page.mouse.up()
    }
  })

  test('is accessible and fits at 390 px', async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('free'), size: phone })
    await seeTick(page)
    await press(page, 'Chart options')
    // The menu of the axes has the same choice.
    await page.getByRole('group', { name: 'Price scale' }).waitFor()
    await expectAccessible(page)
  })
})

function minuteOf(text: string | null): number {
  const [, hour, minute] = /(\d\d):(\d\d):/.exec(text ?? '') ?? []
  return Number(hour) * 60 + Number(minute)
}

test('a date in the history is loaded and shown, Latest leads back, and a double-click resets the time scale', async ({ open }) => {
  const { page } = await open('/?tf=5', { as: await addPerson('free') })
  await seeTick(page)
  const latest = page.getByRole('button', { name: 'Latest' })
  expect(await latest.count()).toBe(0)
  const day = new Date(Date.now() - 12 * 86_400_000).toISOString().slice(0, 10)
  await press(page, 'Go to date')
  await page.getByLabel('Date', { exact: true }).fill(day.split('-').toReversed().join('/'))
  await press(page, 'Go')
  await latest.waitFor()
  await page.keyboard.press('Escape')
  const times = await timesInView(page)
  expect(times.some((time) => new Date(`${time.slice(0, 16)} UTC`).toISOString().startsWith(day))).toBe(true)
  await latest.click()
  await latest.waitFor({ state: 'detached' })
  const before = (await timesInView(page)).length
  for (let press = 0; press < 4; press += 1) await canvas(page).press('+')
  await expectEventually(async () => (await timesInView(page)).length).toBeLessThan(before)
  const box = await canvas(page).boundingBox()
  await page.mouse.dblclick((box?.x ?? 0) + 300, (box?.y ?? 0) + (box?.height ?? 0) - 10)
  await expectEventually(async () => (await timesInView(page)).length).toBeGreaterThanOrEqual(before - 2)
})

test.describe('a choice of the user', () => {
  test('of style, scale and colours is drawn immediately and is there after a reload', async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('free') })
    await seeTick(page)
    await expectEventually(() => hasColour(page, '#ef5350')).toBe(true)
    await page.getByLabel('Style').selectOption('Renko')
    await see(page, /^Renko bricks follow the price/)
    await press(page, 'Chart options')
    await page.getByRole('radio', { name: 'Colour-safe' }).check()
    await page.getByRole('radio', { name: 'Percent' }).check()
    await expectEventually(() => hasColour(page, '#e69f00')).toBe(true)
    expect(await hasColour(page, '#ef5350')).toBe(false)
    await page.reload()
    await see(page, /^Renko bricks follow the price/)
    await press(page, 'Chart options')
    expect(await page.getByRole('radio', { name: 'Percent' }).isChecked()).toBe(true)
    await expectEventually(() => hasColour(page, '#e69f00')).toBe(true)
  })

  for (const style of ['Hollow candles', 'Bars', 'Line', 'Area', 'Heikin Ashi', 'Renko', 'Candles']) {
    test(`${style} goes on ticking`, async ({ open }) => {
      const { page } = await open('/btc-usdt', { as: await addPerson('premium'), engine: 'tezi' })
      await seeTick(page)
      await page.getByLabel('Style').selectOption(style)
      const price = () => page.getByTestId('legend-change').textContent()
      await price()
      await canvas(page).press('End')
      const before = await spoken(page)
      // A brick does not change until the price has moved by one.
      if (style !== 'Renko') await expectEventually(async () => (await canvas(page).press('End'), spoken(page))).not.toBe(before)
      await legend(page).waitFor()
    })
  }

  test('of the engine keeps instrument, timeframe and toggles, and is there after a reload', async ({ open }) => {
    const { page, widget } = await open('/eur-usd?tf=15', { as: await addPerson('premium') })
    await page.getByTestId('chart-frame').waitFor()
    await seeNoMore(page, 'Loading chart...')
    expect(widget.loads()).toBe(1)
    await page.getByRole('combobox', { name: 'Chart', exact: true }).selectOption('Tezi')
    await seeTick(page)
    expect(await page.getByTestId('chart-frame').count()).toBe(0)
    expect(await page.getByTestId('timeframe-label').textContent()).toBe('15m')
    await page.reload()
    await seeTick(page)
    expect(widget.loads()).toBe(1)
    await page.getByRole('combobox', { name: 'Chart', exact: true }).selectOption('TradingView')
    await page.getByTestId('chart-frame').waitFor()
  })

  test('opens the shorter timeframes of SENSEX, which the widget does not have', async ({ open }) => {
    const { page } = await open('/sensex', { as: await addPerson('premium') })
    await seeTick(page)
    expect(await page.getByTestId('timeframe-label').textContent()).toBe('1m')
    await page.getByRole('radio', { name: '1D' }).check()
    await page.getByTestId('chart-frame').waitFor()
    await page.getByRole('radio', { name: '5m', exact: true }).check()
    await seeTick(page)
  })
})

test.describe('the six toggles', () => {
  test('are drawn immediately, show their data source, and disappear without a new chart', async ({ open }) => {
    const { page } = await open('/btc-usdt?tf=5', { as: await addPerson('premium'), engine: 'tezi' })
    await seeTick(page)
    await canvas(page).evaluate((element) => element.setAttribute('data-seen', 'before'))
    await press(page, 'Settings')
    for (const number of [1, 2, 3, 4, 5, 6]) await page.getByRole('switch', { name: `Chart ${number}` }).click()
    const studies = page.locator('[data-study]')
    await expectEventually(() => studies.count()).toBe(6)
    await see(page, 'From generated trades (DEMO).')
    await see(page, /^\d+\/10$/)
    await press(page, 'Clear All Settings')
    await expectEventually(() => studies.count()).toBe(0)
    expect(await canvas(page).getAttribute('data-seen')).toBe('before')
  })

  test('show a message if an instrument has no volume, instead of zeros', async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('premium') })
    await seeTick(page)
    await press(page, 'Settings')
    await page.getByRole('switch', { name: 'Chart 2' }).click()
    await page.getByRole('button', { name: 'No volume for this instrument.' }).waitFor()
  })
})

test.describe('a cut connection', () => {
  test('shows stale immediately and recovers without a reload', async ({ open, pageErrors }) => {
    const { page } = await open('/', { as: await addPerson('free') })
    await seeTick(page)
    await page.evaluate(() => document.body.setAttribute('data-seen', 'before'))
    await page.context().setOffline(true)
    await page.getByText('STALE').first().waitFor()
    await page.context().setOffline(false)
    await page.getByText('STALE').first().waitFor({ state: 'hidden' })
    await seeTick(page)
    expect(await page.locator('body').getAttribute('data-seen')).toBe('before')
    // Live connection and heartbeats fail, as intended here.
    pageErrors.splice(
      0,
      pageErrors.length,
      ...pageErrors.filter((error) => !/WebSocket|ERR_INTERNET_DISCONNECTED|could not be loaded/.test(error)),
    )
  })
})

test('the wheel zooms out to combined bars under a moving pointer, and the candles stay', async ({ open }) => {
  const { page } = await open('/', { as: await addPerson('free') })
  await seeTick(page)
  await canvas(page).hover()
  const { x = 0, y = 0, width = 0, height = 0 } = (await canvas(page).boundingBox()) ?? {}
  for (let at = 0; at < 80; at += 1) {
    await page.mouse.wheel(0, 300)
    await page.mouse.move(x + width / 2 + (at % 20) * 5, y + height / 2 + (at % 7) * 9)
  }
  await legend(page)
    .getByText(/each bar combines/)
    .waitFor()
  await expectEventually(() => hasColour(page, '#ef5350')).toBe(true)
})
