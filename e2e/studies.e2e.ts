// Studies on the Tezi chart: switched, configured, hidden and removed by mouse and keyboard, saved for the account, on a phone.
import { expect, type Locator, type Page, type Request } from '@playwright/test'
import { chartFlagNames, type ChartFlags } from '../shared/chart/chart-flags.ts'
import { studyIds } from '../shared/indicators/lib/study-ids.ts'
import { noWorkspace, type Workspace } from '../shared/workspace/workspace.ts'
import { expectAccessible } from './harness/accessible.ts'
import { savesWorkspace } from './harness/native-chart.ts'
import { addPerson, callAs } from './harness/people.ts'
import { press, see, seeNoMore } from './harness/see.ts'
import { expectEventually, phone, test } from './harness/test.ts'

const panel = (page: Page) => page.getByTestId('studies-panel')
const row = (page: Page, id: string) => page.locator(`[data-study=${id}]`)
/** Its visible text, with single spaces. */
const reported = async (page: Page, id: string) => (await row(page, id).innerText()).replaceAll(/\s+/g, ' ').trim()
const rows = (page: Page) => page.locator('[data-study]')
const toggle = (page: Page, name: string) => panel(page).getByRole('switch', { name, exact: true })

const classics = [
  ['sma', 'Simple Moving Average', /^SMA 20 [\d,]+\.\d\d/],
  ['ema', 'Exponential Moving Average', /^EMA 20 [\d,]+\.\d\d/],
  ['rsi', 'Relative Strength Index', /^RSI 14 \d+\.\d\d/],
  ['macd', 'MACD', /^MACD 12 26 9 [\u2212\d]/],
  ['bollinger', 'Bollinger Bands', /^Bollinger 20 2 [\d,]+\.\d\d/],
  ['vwap', 'VWAP', /^VWAP [\d,]+\.\d\d/],
  ['atr', 'Average True Range', /^ATR 14 \d+\.\d\d/],
  ['supertrend', 'Supertrend', /^Supertrend 10 3 [\d,]+\.\d\d/],
] as const

async function openStudies(page: Page): Promise<void> {
  await seeNoMore(page, 'Loading chart...')
  await press(page, 'Studies')
  await panel(page).waitFor()
}

/** Puts the pointer on a closed bar, so that the legend shows that one and not the forming one. */
async function pointAtBar(page: Page): Promise<void> {
  const box = await page.getByTestId('chart-canvas').boundingBox()
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 3)
}

const isFocused = (field: Locator) => field.evaluate((element) => element === document.activeElement)

test.describe('a free user', () => {
  test('has no studies: no button, and none of those saved during premium', async ({ open }) => {
    const person = await addPerson('free')
    await callAs(person, 'PUT', '/user/workspace', { version: 0, workspace: { ...noWorkspace, studies: ['sma', 'rsi'] } })
    const { page } = await open('/', { as: person })
    await page.getByTestId('legend-change').waitFor()
    await expectEventually(() => page.evaluate(() => localStorage.getItem('chart.studies'))).toContain('sma')
    expect(await rows(page).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Studies' }).count()).toBe(0)
  })
})

test.describe('the built-in studies', () => {
  test('are switched on by mouse and off by the keyboard, each with its values in the legend', async ({ open }) => {
    const { page } = await open('/btc-usdt?tf=5', { as: await addPerson('premium'), engine: 'tezi' })
    await openStudies(page)
    for (const [id, name, reading] of classics) {
      await toggle(page, name).click()
      await expectEventually(() => reported(page, id)).toMatch(reading)
    }
    await expectAccessible(page)
    for (const [index, [, name]] of classics.entries()) {
      await toggle(page, name).press('Space')
      await expectEventually(() => rows(page).count()).toBe(classics.length - 1 - index)
    }
    await page.keyboard.press('Escape')
    await panel(page).waitFor({ state: 'detached' })
    expect(await isFocused(page.getByRole('button', { name: 'Studies' }))).toBe(true)
  })
})

test.describe('an input', () => {
  test('shows an error if invalid, else is drawn immediately; reset restores the defaults', async ({ open }) => {
    const { page } = await open('/btc-usdt?tf=60', { as: await addPerson('premium'), engine: 'tezi' })
    await openStudies(page)
    await toggle(page, 'Simple Moving Average').click()
    await panel(page).getByRole('button', { name: 'Settings of Simple Moving Average' }).click()
    await see(page, 'Where its data comes from')
    await pointAtBar(page)
    const length = panel(page).getByRole('spinbutton', { name: 'Length' })
    const value = () => reported(page, 'sma')
    await expectEventually(value).toMatch(/^SMA 20 [\d,]+\.\d\d/)
    const before = await value()
    for (const typed of ['', '0', '1001', '2.5', 'x']) {
      await length.fill(typed)
      await see(page, 'Enter a whole number from 1 to 1,000.')
      expect(await value()).toBe(before)
    }
    await length.fill('5')
    await seeNoMore(page, 'Enter a whole number from 1 to 1,000.')
    await expectEventually(value).toMatch(/^SMA 5 [\d,]+\.\d\d/)
    expect((await value()).slice(-9)).not.toBe(before.slice(-9))
    await length.press('ArrowUp')
    await expectEventually(value).toMatch(/^SMA 6 /)
    await panel(page).getByRole('button', { name: 'Length: less' }).click()
    await pointAtBar(page)
    await panel(page).getByLabel('Source').selectOption('High')
    await expectEventually(value).toMatch(/^SMA 5 High /)
    await panel(page).getByRole('button', { name: 'Reset to defaults' }).press('Enter')
    await expectEventually(value).toBe(before)
    expect(await length.inputValue()).toBe('20')
  })

  test('of a toggle is saved as well, and every study shows its data source', async ({ open }) => {
    const person = await addPerson('premium')
    const { page } = await open('/btc-usdt?tf=5', { as: person, engine: 'tezi' })
    await openStudies(page)
    const settings = panel(page).getByRole('button', { name: /^Settings of / })
    expect(await settings.count()).toBe(14)
    for (let at = 0; at < 14; at += 1) {
      await settings.nth(at).click()
      await see(page, 'What it shows')
      await see(page, 'Where its data comes from')
      await press(page, 'All studies')
    }
    await toggle(page, 'Zig Zag').click()
    await panel(page).getByRole('button', { name: 'Settings of Zig Zag' }).click()
    await savesWorkspace(
      page,
      ({ studyInputs }) => studyInputs['zigZag']?.['deviationPercent'] === 0.5,
      () => panel(page).getByRole('spinbutton', { name: 'Price deviation for a reversal, %' }).fill('0.5'),
    )
    await expectEventually(() => reported(page, 'zigZag')).toContain('Zig Zag 0.5')
  })
})

test.describe('the row of a study', () => {
  test(
    'hides, configures and removes it; all of that is there after a reload and on a second browser',
    { tag: '@slow' },
    async ({ open }) => {
      const person = await addPerson('premium')
      const { page } = await open('/btc-usdt?tf=5', { as: person, engine: 'tezi' })
      await openStudies(page)
      await toggle(page, 'Exponential Moving Average').click()
      await toggle(page, 'Relative Strength Index').click()
      await press(page, 'Close')
      await row(page, 'rsi').hover()
      await row(page, 'rsi').getByRole('button', { name: 'Settings of RSI' }).click()
      await panel(page).getByRole('spinbutton', { name: 'Length' }).fill('7')
      await expectEventually(() => reported(page, 'rsi')).toMatch(/^RSI 7 \d+\.\d\d/)
      await row(page, 'ema').hover()
      const isLeftSo = ({ hiddenStudies, studyInputs }: Workspace) => hiddenStudies.includes('ema') && studyInputs['rsi']?.['length'] === 7
      await savesWorkspace(page, isLeftSo, () => row(page, 'ema').getByRole('button', { name: 'Hide EMA' }).click())
      await expectEventually(() => reported(page, 'ema')).toContain('hidden')

      await page.reload()
      await expectEventually(() => reported(page, 'rsi')).toMatch(/^RSI 7 \d+\.\d\d/)
      expect(await reported(page, 'ema')).toContain('hidden')

      const other = (await open('/btc-usdt?tf=5', { as: person, engine: 'tezi' })).page
      await expectEventually(() => reported(other, 'rsi')).toMatch(/^RSI 7 \d+\.\d\d/)
      await row(other, 'ema').hover()
      await row(other, 'ema').getByRole('button', { name: 'Show EMA' }).click()
      await expectEventually(() => reported(other, 'ema')).toMatch(/^EMA 20 [\d,]+\.\d\d/)
      await row(other, 'rsi').hover()
      await savesWorkspace(
        other,
        ({ studies, hiddenStudies }) => !studies.includes('rsi') && !hiddenStudies.includes('ema'),
        () => row(other, 'rsi').getByRole('button', { name: 'Remove RSI' }).click(),
      )
      await expectEventually(() => rows(other).count()).toBe(1)

      await page.reload()
      await expectEventually(() => reported(page, 'ema')).toMatch(/^EMA 20 [\d,]+\.\d\d/)
      expect(await rows(page).count()).toBe(1)
    },
  )

  test('of a toggle switches the toggle off, which comes back unhidden', async ({ open }) => {
    const { page } = await open('/btc-usdt?tf=5', { as: await addPerson('premium'), engine: 'tezi' })
    await openStudies(page)
    await toggle(page, 'Block Pressure').click()
    await row(page, 'blockPressure').hover()
    await row(page, 'blockPressure').getByRole('button', { name: 'Hide Block Pressure' }).click()
    await expectEventually(() => reported(page, 'blockPressure')).toContain('hidden')
    await press(page, 'Settings')
    const chartOne = page.getByRole('switch', { name: 'Chart 1' })
    await expectEventually(() => chartOne.getAttribute('aria-checked')).toBe('true')
    await chartOne.click()
    await expectEventually(() => rows(page).count()).toBe(0)
    expect(await toggle(page, 'Block Pressure').getAttribute('aria-checked')).toBe('false')
    await chartOne.click()
    await expectEventually(() => reported(page, 'blockPressure')).toMatch(/\d+\/10/)
  })
})

test.describe('volume delta', () => {
  test('is the only one to load intrabars', async ({ open }) => {
    const asked: string[] = []
    const { page } = await open('/btc-usdt?tf=15', {
      as: await addPerson('premium'),
      engine: 'tezi',
      before: async (fresh) => {
        fresh.on('websocket', (socket) => socket.on('framesent', ({ payload }) => asked.push(String(payload))))
      },
    })
    await openStudies(page)
    await toggle(page, 'Supertrend').click()
    await row(page, 'supertrend').waitFor()
    const asksFor = (timeframe: string) => asked.filter((text) => text.includes(`"timeframe":"${timeframe}"`)).length
    expect([asksFor('15'), asksFor('1')]).toEqual([1, 0])
    await toggle(page, 'Volume Delta').click()
    await expectEventually(() => asksFor('1')).toBe(1)
    await see(page, 'From generated trades (DEMO).')
    const ends = asked.length
    await toggle(page, 'Volume Delta').click()
    await expectEventually(() => asked.slice(ends).some((text) => text.includes('"unsub"'))).toBe(true)
  })
})

test.describe('on a phone', () => {
  test('studies are switched and configured next to the chart, and their list leaves room for the candles', async ({ open }) => {
    const { page } = await open('/btc-usdt?tf=5', { as: await addPerson('premium'), engine: 'tezi', size: phone })
    await openStudies(page)
    await expectAccessible(page)
    for (const name of ['Simple Moving Average', 'Exponential Moving Average', 'Supertrend', 'MACD']) await toggle(page, name).click()
    await press(page, '3 studies')
    await expectEventually(() => reported(page, 'ema')).toMatch(/^EMA/)
    await press(page, 'Close')
    await row(page, 'macd').getByRole('button', { name: 'Settings of MACD 12 26 9' }).tap()
    await panel(page).getByRole('button', { name: 'Fast length: more' }).tap()
    await expectEventually(() => reported(page, 'macd')).toContain('13 26 9')
    await expectAccessible(page)
  })

  test(
    'each of them is switched on and off by touch, kept over a reload, and there on a second browser',
    { tag: '@slow' },
    async ({ open }) => {
      const person = await addPerson('premium')
      const { page } = await open('/btc-usdt?tf=5', { as: person, engine: 'tezi', size: phone })
      await openStudies(page)
      const all = classics.map(([id]) => id)
      const tapAll = async () => {
        for (const [at] of studyIds.entries()) await panel(page).getByRole('switch').nth(at).tap()
      }
      await Promise.all([
        page.waitForResponse((reply) => reply.ok() && isEqual(studiesSaved(reply.request()), all)),
        page.waitForResponse((reply) => reply.ok() && areToggled(reply.request())),
        tapAll(),
      ])
      await page.reload()
      await openStudies(page)
      await expectEventually(() => panel(page).getByRole('switch', { checked: true }).count()).toBe(studyIds.length)

      const other = (await open('/btc-usdt?tf=5', { as: person, engine: 'tezi' })).page
      for (const [id, , reading] of classics) await expectEventually(() => reported(other, id)).toMatch(reading)
      expect(await rows(other).count()).toBe(14)
      await tapAll()
      await expectEventually(() => rows(page).count()).toBe(0)
    },
  )
})

/** The studies that this request saves, in the order of switching them on. */
function studiesSaved(request: Request): readonly string[] {
  if (request.method() !== 'PUT' || !request.url().endsWith('/user/workspace')) return []
  return (request.postDataJSON() as { workspace: { studies: readonly string[] } }).workspace.studies
}

/** Whether this request switches all six toggles on. */
function areToggled(request: Request): boolean {
  if (request.method() !== 'PUT' || !request.url().endsWith('/user/chart-settings')) return false
  return chartFlagNames.every((name) => (request.postDataJSON() as ChartFlags)[name])
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.join() === other.join()
}
