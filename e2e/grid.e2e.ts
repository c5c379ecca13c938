// Several charts on one screen: by mouse and keyboard, linked, restored, opened as a layout, and on a phone.
import { expect, type Locator, type Page, type Response } from '@playwright/test'
import { expectAccessible } from './harness/accessible.ts'
import { addPerson, callAs, type Person } from './harness/people.ts'
import { arriveAt, expectNoSideScroll, press, see, seeNoMore } from './harness/see.ts'
import { expectEventually, phone, test } from './harness/test.ts'

const cell = (page: Page, number: number) => page.getByTestId('cell').nth(number - 1)
const gridChoice = (page: Page, name: string) => page.getByRole('radio', { name, exact: true })

/** What each chart on the screen shows, the active one marked with a star. */
async function charts(page: Page): Promise<readonly string[]> {
  return page.getByTestId('cell').evaluateAll((cells) =>
    cells.map((one) => {
      const name = one.querySelector('h1 span, h2 span')?.textContent
      const timeframe = one.querySelector('[data-testid=cell-timeframe]')?.textContent ?? ''
      return `${name} ${timeframe}${one.getAttribute('aria-current') === 'true' ? '*' : ''}`.trim()
    }),
  )
}

async function seeCharts(page: Page, expected: readonly string[]): Promise<void> {
  await expectEventually(() => charts(page)).toEqual(expected)
}

/** Waits for a save of the workspace that this causes and that contains these charts. */
async function savedScreen(page: Page, slugs: readonly string[], act: () => Promise<unknown>): Promise<void> {
  const isSaved = (reply: Response) => {
    if (!reply.url().endsWith('/user/workspace') || reply.request().method() !== 'PUT') return false
    const { workspace } = reply.request().postDataJSON() as { workspace: { screen: { charts: { slug: string }[] } | null } }
    return workspace.screen?.charts.map(({ slug }) => slug).join() === slugs.join() && reply.status() === 200
  }
  await Promise.all([page.waitForResponse(isSaved), act()])
}

/** The workspace is loaded, so the screen can be changed. */
async function ready(page: Page): Promise<void> {
  await gridChoice(page, 'One chart').waitFor()
  await page.getByTestId('native-chart').first().waitFor()
}

/** Clicks in the upper half of a chart, where there is no other control. */
async function pressChart(chart: Locator): Promise<void> {
  const box = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await chart.page().mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

/** Four charts as saved by another device, the third one active. */
async function leaveFour(person: Person): Promise<void> {
  const charts = [
    { slug: 'nifty', timeframe: '1' },
    { slug: 'sensex', timeframe: '5' },
    { slug: 'banknifty', timeframe: '15', style: 'line' },
    { slug: 'finnifty', timeframe: '60' },
  ]
  const screen = { grid: 4, areSymbolsLinked: false, areTimeframesLinked: false, areCrosshairsLinked: true, active: 2, charts }
  const alarm = { isOn: false, secondsBefore: 10, hasSound: true, hasNotification: false }
  const studies = { studies: [], hiddenStudies: [], studyInputs: {} }
  const rest = { v: 1, last: { slug: 'banknifty', timeframe: '15' }, engine: 'tezi', options: null, ...studies, favourites: [], alarm }
  await callAs(person, 'PUT', '/user/workspace', { version: 0, workspace: { ...rest, screen, layouts: [], layoutId: null } })
}

test.describe('without premium', () => {
  test('there is one chart: more of them lead to premium, and saved ones are hidden', async ({ open }) => {
    const person = await addPerson('free')
    await leaveFour(person)
    const { page } = await open('/', { as: person })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await ready(page)
    await gridChoice(page, 'Four charts (premium user required)').click()
    await page.getByRole('dialog', { name: 'Premium' }).waitFor()
    await seeCharts(page, ['NIFTY'])
    expect(asked.filter((url) => /banknifty|finnifty|sensex/.test(url))).toEqual([])
    await page.keyboard.press('Escape')
    expect(await gridChoice(page, 'One chart').isChecked()).toBe(true)
  })
})

test.describe('several charts', () => {
  test('by mouse: each independent, one of them active, all on one connection, there after a reload and elsewhere', async ({ open }) => {
    const person = await addPerson('premium')
    let lines = 0
    const { page, widget } = await open('/', {
      as: person,
      before: async (fresh) => {
        fresh.on('websocket', () => (lines += 1))
      },
    })
    await ready(page)
    await page.getByTestId('chart-legend').waitFor()
    // The existing chart is not recreated for the others.
    await cell(page, 1).evaluate((one) => one.querySelector('canvas')?.setAttribute('data-mark', 'kept'))
    await gridChoice(page, 'Two charts').click()
    await seeCharts(page, ['NIFTY 1m*', 'NIFTY 1m'])
    expect(await page.locator('canvas[data-mark=kept]').count()).toBe(1)

    await pressChart(cell(page, 2))
    await seeCharts(page, ['NIFTY 1m', 'NIFTY 1m*'])
    await page.getByRole('link', { name: 'FUTURE' }).click()
    await arriveAt(page, '/sensex')
    await page.getByRole('radio', { name: '15m' }).check()
    await seeCharts(page, ['NIFTY 1m', 'SENSEX 15m*'])
    await page.getByTestId('timeframe-label').getByText('15m').waitFor()
    await cell(page, 2).getByLabel('Style', { exact: true }).selectOption('Line')
    expect(await cell(page, 1).getByLabel('Style', { exact: true }).inputValue()).toBe('candles')
    const studies = (number: number) => cell(page, number).getByTestId('studies-panel')
    await cell(page, 2).getByRole('button', { name: 'Studies' }).click()
    await studies(2).waitFor()

    await pressChart(cell(page, 1))
    await arriveAt(page, '/')
    await studies(1).waitFor()
    expect(await studies(2).count()).toBe(0)
    await page.getByTestId('timeframe-label').getByText('1m', { exact: true }).waitFor()
    await seeCharts(page, ['NIFTY 1m*', 'SENSEX 15m'])
    // A frame of the provider next to the Tezi chart.
    await page.goto('/btc-usdt')
    await seeCharts(page, ['BTC/USDT 1m*', 'SENSEX 15m'])
    await expectEventually(() => widget.loads()).toBe(1)
    await savedScreen(page, ['btc-usdt', 'sensex', 'btc-usdt', 'btc-usdt'], () => gridChoice(page, 'Four charts').click())
    await seeCharts(page, ['BTC/USDT 1m*', 'SENSEX 15m', 'BTC/USDT 1m', 'BTC/USDT 1m'])
    await pressChart(cell(page, 2))
    await seeCharts(page, ['BTC/USDT 1m', 'SENSEX 15m*', 'BTC/USDT 1m', 'BTC/USDT 1m'])

    const last = lines
    await page.reload()
    await seeCharts(page, ['BTC/USDT 1m', 'SENSEX 15m*', 'BTC/USDT 1m', 'BTC/USDT 1m'])
    expect(await cell(page, 2).getByLabel('Style', { exact: true }).inputValue()).toBe('line')
    await cell(page, 2).getByTestId('chart-legend').waitFor()
    expect(lines - last).toBeLessThanOrEqual(2)
    const other = (await open('/sensex?tf=15', { as: person })).page
    await seeCharts(other, ['BTC/USDT 1m', 'SENSEX 15m*', 'BTC/USDT 1m', 'BTC/USDT 1m'])
  })

  test('by keys alone: selected, navigated, filled by the search, and focus returned', async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('premium') })
    await ready(page)
    await gridChoice(page, 'One chart').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await seeCharts(page, ['NIFTY 1m*', 'NIFTY 1m', 'NIFTY 1m', 'NIFTY 1m'])
    await page.getByRole('button', { name: 'All charts show the same instrument' }).waitFor()
    await page.keyboard.press('Alt+3')
    await seeCharts(page, ['NIFTY 1m', 'NIFTY 1m', 'NIFTY 1m*', 'NIFTY 1m'])
    // The chart has keyboard focus immediately.
    await page.keyboard.press('End')
    await expectEventually(() => cell(page, 3).getByTestId('spoken-bar').textContent()).toContain('open')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Name or symbol' }).fill('sensex')
    await page.keyboard.press('Enter')
    await seeCharts(page, ['NIFTY 1m', 'NIFTY 1m', 'SENSEX 1m*', 'NIFTY 1m'])
    // A dialog keeps the focus until it is removed.
    await page.locator('[role=dialog]').waitFor({ state: 'detached' })
    await page.keyboard.press('Alt+1')
    await arriveAt(page, '/')
    await page.keyboard.press('Alt+4')
    await page.getByRole('link', { name: 'FUTURE' }).press('Enter')
    await seeCharts(page, ['NIFTY 1m', 'NIFTY 1m', 'SENSEX 1m', 'SENSEX 1m*'])
    // Back applies to the changed chart.
    await page.goBack()
    await seeCharts(page, ['NIFTY 1m', 'NIFTY 1m', 'SENSEX 1m', 'NIFTY 1m*'])
    // Maximised: the others wait.
    await page.keyboard.press('Alt+3')
    await seeCharts(page, ['NIFTY 1m', 'NIFTY 1m', 'SENSEX 1m*', 'NIFTY 1m'])
    await gridChoice(page, 'One chart').press('Space')
    await seeCharts(page, ['SENSEX'])
    await gridChoice(page, 'Four charts').press('Space')
    await seeCharts(page, ['NIFTY 1m', 'NIFTY 1m', 'SENSEX 1m*', 'NIFTY 1m'])
  })

  test('follow each other in instrument, timeframe and time if they are linked', { tag: '@slow' }, async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('premium') })
    await ready(page)
    await gridChoice(page, 'Two charts').click()
    await cell(page, 2).getByTestId('chart-legend').waitFor()
    await page.getByRole('radio', { name: '5m', exact: true }).check()
    await seeCharts(page, ['NIFTY 5m*', 'NIFTY 1m'])
    await press(page, 'All charts show the same timeframe')
    await seeCharts(page, ['NIFTY 5m*', 'NIFTY 5m'])
    await page.getByRole('radio', { name: '30m' }).check()
    await seeCharts(page, ['NIFTY 30m*', 'NIFTY 30m'])
    await page.getByRole('link', { name: 'FUTURE' }).click()
    await seeCharts(page, ['SENSEX 30m*', 'NIFTY 30m'])
    await press(page, 'All charts show the same instrument')
    await seeCharts(page, ['SENSEX 30m*', 'SENSEX 30m'])
    await pressChart(cell(page, 2))
    await seeCharts(page, ['SENSEX 30m', 'SENSEX 30m*'])
    await page.goto('/')
    await seeCharts(page, ['NIFTY 1m', 'NIFTY 1m*'])

    await cell(page, 1).getByTestId('chart-legend').waitFor()
    const momentOf = async (number: number) =>
      /\d?\d:\d\d [AP]M/.exec((await cell(page, number).getByTestId('chart-legend').textContent()) ?? '')?.[0]
    const box = (await cell(page, 2).getByTestId('chart-canvas').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.mouse.move(box.x + 200, box.y + 200)
    await expectEventually(() => momentOf(2)).toMatch(/\d/)
    await expectEventually(() => momentOf(1)).toBe(await momentOf(2))
    await press(page, 'All charts show the same time under the crosshair')
    await page.mouse.move(box.x + 200, box.y + 200)
    await expectEventually(() => momentOf(2)).toMatch(/\d/)
    expect(await momentOf(1)).toBeUndefined()
  })

  test('share drawings on one instrument', async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('premium') })
    await ready(page)
    await gridChoice(page, 'Two charts').click()
    await cell(page, 2).getByTestId('chart-legend').waitFor()
    const { promise: isSeen, resolve: letSave } = Promise.withResolvers<void>()
    await page.route('**/user/drawings/nifty', async (route) => {
      if (route.request().method() === 'PUT') await isSeen
      await route.continue()
    })
    const linesAfterOneFrame = await page.evaluate(async () => {
      const pen = new OffscreenCanvas(1, 1).getContext('2d')
      if (pen === null) throw new Error('No canvas')
      pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--color-accent')
      pen.fillRect(0, 0, 1, 1)
      const accent = pen.getImageData(0, 0, 1, 1).data
      const hasLine = (chart: Element) =>
        [...chart.querySelectorAll('canvas')].some((layer) => {
          const { data } = layer.getContext('2d')?.getImageData(0, 0, layer.width, layer.height) ?? { data: [] }
          let found = 0
          for (let at = 0; at < data.length; at += 4)
            if ([0, 1, 2].every((part) => Math.abs((data[at + part] ?? 0) - (accent[part] ?? 0)) < 3)) found += 1
          return found > 100
        })
      const [first, second] = document.querySelectorAll('[data-testid=cell]')
      if (first === undefined || second === undefined || hasLine(second)) throw new Error('The second chart has a line already')
      // A click without a pointer inserts the line, as a key does; until the drawings are loaded it does nothing.
      for (let frame = 0; frame < 600 && !hasLine(first); frame += 1) {
        document.querySelector<HTMLElement>('button[aria-label="Horizontal line"]')?.click()
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
      return [hasLine(first), hasLine(second)]
    })
    expect(linesAfterOneFrame).toEqual([true, true])
    const saved = page.waitForResponse((reply) => reply.request().method() === 'PUT' && reply.url().endsWith('/user/drawings/nifty'))
    letSave()
    expect((await saved).status()).toBe(200)
  })
})

test.describe('a layout', () => {
  test('keeps the screen and restores it; later changes are saved on demand', { tag: '@slow' }, async ({ open }) => {
    const person = await addPerson('premium')
    await leaveFour(person)
    const { page } = await open('/', { as: person })
    const four = ['NIFTY 1m', 'SENSEX 5m', 'BANKNIFTY 15m*', 'FINNIFTY 1h']
    await seeCharts(page, four)
    // The bare address does not select another chart.
    const tab = await page.context().newPage()
    await tab.goto('/')
    await seeCharts(tab, four)
    await tab.close()
    await press(page, 'Layouts')
    await page.getByLabel('Name of the new layout').fill('Indices')
    await press(page, 'Save')
    await see(page, 'NIFTY 1m, SENSEX 5m, BANKNIFTY 15m, FINNIFTY 1h')
    await page.getByLabel('On the screen').selectOption('Two charts')
    await page.keyboard.press('Escape')
    await seeCharts(page, ['BANKNIFTY 15m*', 'FINNIFTY 1h'])
    await page.goto('/reliance')
    await seeCharts(page, ['RELIANCE 1m*', 'FINNIFTY 1h'])
    await press(page, 'Layouts')
    await press(page, 'Open Indices')
    await seeCharts(page, four)
    await arriveAt(page, '/banknifty')
    expect(await cell(page, 3).getByLabel('Style', { exact: true }).inputValue()).toBe('line')

    await page.locator('[role=dialog]').waitFor({ state: 'detached' })
    await page.keyboard.press('Alt+4')
    await press(page, 'Layouts')
    await press(page, 'Update Indices to what is on the screen')
    await page.getByRole('button', { name: 'Update Indices to what is on the screen' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await gridChoice(page, 'One chart').click()
    await press(page, 'Layouts')
    await press(page, 'Open Indices')
    await seeCharts(page, ['NIFTY 1m', 'SENSEX 5m', 'BANKNIFTY 15m', 'FINNIFTY 1h*'])
  })
})

test.describe('the screen', () => {
  test('of four charts lines up in rows, whichever is active, at every width', { tag: '@slow' }, async ({ open }) => {
    const person = await addPerson('premium')
    await leaveFour(person)
    const { page } = await open('/', { as: person })
    await expectEventually(() => page.getByTestId('chart-legend').count()).toBe(4)
    await page.getByRole('button', { name: 'All charts show the same instrument' }).waitFor()
    const places = () =>
      page.getByTestId('native-chart').evaluateAll((charts) => charts.map((chart) => Math.round(chart.getBoundingClientRect().top)))
    for (const width of [1440, 1280, 1024, 800])
      for (const number of [1, 2, 3, 4]) {
        await page.setViewportSize({ width, height: 900 })
        await page.keyboard.press(`Alt+${number}`)
        await cell(page, number).getByRole('button', { name: 'Chart options' }).waitFor({ state: 'attached' })
        const [first, second, third, fourth] = await places()
        expect([second, fourth], `${width}, ${number}`).toEqual([first, third])
        await expect(cell(page, number).getByText('DEMO', { exact: true })).toBeInViewport({ ratio: 1 })
      }
  })

  test('of four charts is accessible', async ({ open }) => {
    const person = await addPerson('premium')
    await leaveFour(person)
    const { page } = await open('/', { as: person })
    await expectEventually(() => page.getByTestId('chart-legend').count()).toBe(4)
    await seeNoMore(page, 'Loading chart...')
    await expectAccessible(page)
  })

  test('of a phone has them below each other, each large enough, selected by a tap', async ({ open }) => {
    const person = await addPerson('premium')
    await leaveFour(person)
    const { page } = await open('/', { as: person, size: phone })
    await expectEventually(() => page.getByTestId('chart-legend').count()).toBe(4)
    for (const one of await page.getByTestId('cell').all()) expect((await one.boundingBox())?.height).toBeGreaterThanOrEqual(300)
    await expectNoSideScroll(page)
    // A swipe over a chart that is not selected.
    const pointerOf = (number: number) =>
      cell(page, number).evaluate((one) => getComputedStyle(one.querySelector('canvas') ?? one).pointerEvents)
    expect([await pointerOf(3), await pointerOf(4)]).toEqual(['auto', 'none'])
    await cell(page, 4).scrollIntoViewIfNeeded()
    await cell(page, 4).tap()
    await arriveAt(page, '/finnifty')
    await seeCharts(page, ['NIFTY 1m', 'SENSEX 5m', 'BANKNIFTY 15m', 'FINNIFTY 1h*'])
    await expectAccessible(page)
    await press(page, 'Layouts')
    await page.getByRole('checkbox', { name: 'All charts show the same timeframe' }).check()
    await page.keyboard.press('Escape')
    await seeCharts(page, ['NIFTY 1h', 'SENSEX 1h', 'BANKNIFTY 1h', 'FINNIFTY 1h*'])
  })
})
