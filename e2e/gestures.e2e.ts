// Gestures on the Tezi chart: every style and drawing tool by mouse, touch and keyboard.
import { expect, type Page, type Response } from '@playwright/test'
import { chartText } from '../shared/chart/text/en.ts'
import { expectAccessible } from './harness/accessible.ts'
import { fingersOn } from './harness/touch-input.ts'
import { barsInView, canvas, legend, savesWorkspace, seeTick, spoken, tool, watchDrawings } from './harness/native-chart.ts'
import { addPerson } from './harness/people.ts'
import { press, see } from './harness/see.ts'
import { expectEventually, phone, test } from './harness/test.ts'

const styles = ['Hollow candles', 'Bars', 'Line', 'Area', 'Heikin Ashi', 'Renko', 'Candles'] as const
const tools = ['Trend line', 'Ray', 'Horizontal line', 'Vertical line', 'Rectangle', 'Fibonacci retracement', 'Measure', 'Text'] as const
const styleIds = new Map<string, string>(Object.entries(chartText.styles).map(([id, name]) => [name, id]))
const lines: readonly string[] = ['Horizontal line', 'Vertical line', 'Text']

/** All eight take a while on a busy machine. */
const longTimeout = { timeout: 90_000 }

const styleField = (page: Page) => page.getByLabel('Style', { exact: true })
const styleOn = (page: Page) => styleField(page).evaluate((field: HTMLSelectElement) => field.selectedOptions[0]?.text)
const drawingSaid = (page: Page) => page.getByTestId('spoken-drawing').textContent()

/** The focused element, as a screen reader names it. */
const focusName = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

test.describe('each style', () => {
  test('is chosen by mouse, kept over a reload, and there on a second browser', { tag: '@slow' }, async ({ open }) => {
    const person = await addPerson('free')
    const { page } = await open('/', { as: person })
    const other = (await open('/', { as: person, size: phone })).page
    await seeTick(page)
    for (const style of styles) {
      await savesWorkspace(
        page,
        ({ options }) => options?.style === styleIds.get(style),
        async () => {
          await styleField(page).click()
          await page.getByRole('option', { name: style, exact: true }).click()
        },
      )
      await other.reload()
      await expectEventually(() => styleOn(other)).toBe(style)
      await legend(other).waitFor()
    }
    await page.reload()
    await expectEventually(() => styleOn(page)).toBe('Candles')
  })

  test('is chosen by touch', async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('free'), size: phone })
    await seeTick(page)
    for (const style of styles) {
      await styleField(page).tap()
      await page.getByRole('option', { name: style, exact: true }).tap()
      expect(await styleOn(page)).toBe(style)
    }
  })

  test('is chosen by key', async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('free') })
    await seeTick(page)
    await styleField(page).focus()
    for (const style of styles.slice(0, -1)) {
      await page.keyboard.press('Enter')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      expect(await styleOn(page)).toBe(style)
    }
    await page.keyboard.press('Enter')
    await page.keyboard.press('Home')
    await page.keyboard.press('Escape')
    expect(await styleOn(page)).toBe('Renko')
  })
})

test.describe('the bricks of Renko', () => {
  test('are after a reload what they were before', async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('free') })
    await seeTick(page)
    // The newest brick may still be removed.
    await savesWorkspace(
      page,
      ({ options }) => options?.style === 'renko',
      () => styleField(page).selectOption('Renko'),
    )
    const before = (await barsInView(page)).slice(1, 40)
    await page.reload()
    await see(page, /^Renko bricks follow the price/)
    const after = await barsInView(page)
    const at = after.indexOf(before[0] ?? '')
    expect(at).toBeGreaterThanOrEqual(0)
    expect(after.slice(at, at + before.length)).toEqual(before)
    expect(before.length).toBeGreaterThan(20)
  })
})

test.describe('each drawing', () => {
  test('is created by touch, is there on a second browser, and is removed there by key', { tag: '@slow' }, async ({ open }) => {
    const person = await addPerson('free')
    let areRead: (() => Promise<void>) | undefined
    const before = async (fresh: Page) => {
      areRead = watchDrawings(fresh)
    }
    const { page } = await open('/', { as: person, size: phone, before })
    await areRead?.()
    await seeTick(page)
    const [saved] = await Promise.all([page.waitForResponse(hasAllDrawings, longTimeout), drawByFinger(page)])
    expect(kindsSaved(saved.request())).toEqual(['trend', 'ray', 'horizontal', 'vertical', 'rectangle', 'fibonacci', 'measure', 'text'])
    expect(await placeOfPage(page)).toEqual([0, 0, 1])

    const other = (await open('/', { as: person })).page
    await expectEventually(() => tool(other, 'Remove all drawings').getAttribute('aria-disabled')).toBe('false')
    await canvas(other).focus()
    for (const [at, name] of tools.entries()) {
      await other.keyboard.press('d')
      await expectEventually(() => drawingSaid(other)).toMatch(new RegExp(`^${name}, drawing ${at + 1} of 8, selected\\.`))
    }
    for (const _ of tools) {
      await other.keyboard.press('Delete')
      await other.keyboard.press('d')
    }
    await expectEventually(() => drawingSaid(other)).toBe('No drawings yet.')
  })

  test('is created and moved by key, and is there on the phone', { tag: '@slow' }, async ({ open }) => {
    const person = await addPerson('free')
    let areRead: (() => Promise<void>) | undefined
    const before = async (fresh: Page) => {
      areRead = watchDrawings(fresh)
    }
    const { page } = await open('/', { as: person, before })
    await areRead?.()
    await seeTick(page)
    await canvas(page).focus()
    await Promise.all([page.waitForResponse(hasAllDrawings, longTimeout), drawByKeys(page)])

    const other = (await open('/', { as: person, size: phone })).page
    await expectEventually(() => tool(other, 'Remove all drawings').getAttribute('aria-disabled')).toBe('false')
    await canvas(other).focus()
    await other.keyboard.press('Shift+D')
    await expectEventually(() => drawingSaid(other)).toMatch(/^Text, drawing 8 of 8, selected\./)
  })
})

async function drawByFinger(page: Page): Promise<void> {
  const fingers = await fingersOn(page)
  for (const [at, name] of tools.entries()) {
    await tool(page, name).tap()
    const y = 300 + at * 45
    if (lines.includes(name)) await fingers.tap({ x: 120 + at * 20, y })
    else await fingers.drag({ x: 110, y }, { x: 280, y: y - 40 })
    if (name === 'Text') await writeText(page, 'Resistance')
    await expectEventually(() => drawingSaid(page)).toContain(`${name} drawn`)
  }
}

/** From the toolbar to the chart and back, as without any pointer. */
async function drawByKeys(page: Page): Promise<void> {
  for (const name of tools) {
    await expectEventually(async () => {
      await page.keyboard.press('Shift+Tab')
      return page.evaluate(() => document.activeElement?.closest('[role=toolbar]')?.getAttribute('aria-label'))
    }).toBe('Drawing tools')
    await page.keyboard.press('ArrowDown')
    expect(await focusName(page)).toBe(name)
    await page.keyboard.press('Enter')
    if (name === 'Text') {
      await page.getByRole('textbox', { name: 'Text' }).waitFor()
      await page.keyboard.type('Support')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    await expectEventually(() => drawingSaid(page)).toContain(`${name} drawn`)
    expect(await focusName(page)).toContain('Tezi chart, DEMO')
    await page.keyboard.press('Shift+ArrowUp')
    await page.keyboard.press('ArrowLeft')
  }
}

async function writeText(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Text' }).fill(text)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add to chart' }).tap()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

const hasAllDrawings = (reply: Response) => kindsSaved(reply.request()).length === tools.length

function kindsSaved(request: { url(): string; method(): string; postDataJSON(): unknown }): string[] {
  if (request.method() !== 'PUT' || !request.url().endsWith('/user/drawings/nifty')) return []
  return (request.postDataJSON() as { drawings: { kind: string }[] }).drawings.map(({ kind }) => kind)
}

/** The page's scroll position and zoom. */
function placeOfPage(page: Page): Promise<number[]> {
  return page.evaluate(() => [window.scrollX, window.scrollY, window.visualViewport?.scale ?? 0])
}

test.describe('touch gestures', () => {
  test('pan, pinch and read the chart, and never move the page', async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('free'), size: phone })
    await seeTick(page)
    const fingers = await fingersOn(page)
    const first = await barsInView(page)

    await fingers.drag({ x: 100, y: 500 }, { x: 330, y: 500 })
    // Kinetic scrolling continues for a moment after the touch ends.
    await expectEventually(async () => (await barsInView(page)).includes(first[0] ?? '')).toBe(false)

    await fingers.pinch({ x: 180, y: 500 }, 60, 200)
    const near = (await barsInView(page)).length
    expect(near).toBeLessThan(first.length / 2)
    await fingers.pinch({ x: 180, y: 500 }, 200, 40)
    expect((await barsInView(page)).length).toBeGreaterThan(near * 1.2)

    await fingers.down({ x: 200, y: 500 })
    await expectEventually(() => legend(page).textContent()).toMatch(/\d:\d\d [AP]M/)
    const held = await legend(page).textContent()
    const before = await barsInView(page)
    await fingers.move({ x: 260, y: 480 })
    await expectEventually(() => legend(page).textContent()).not.toBe(held)
    await fingers.up()
    expect((await barsInView(page)).at(-1)).toBe(before.at(-1))

    // Vertical along the chart, where a page would scroll.
    await fingers.drag({ x: 200, y: 700 }, { x: 200, y: 300 })
    expect(await placeOfPage(page)).toEqual([0, 0, 1])
  })
})

test.describe('marks', () => {
  test('appear where sessions begin, and disappear with their option', async ({ open }) => {
    const { page } = await open('/?tf=15', { as: await addPerson('free') })
    await seeTick(page)
    await expectEventually(() => dashedColumns(page)).toBeGreaterThan(0)
    await press(page, 'Chart options')
    await page.getByLabel('Session breaks').uncheck()
    await expectEventually(() => dashedColumns(page)).toBe(0)
  })

  test('say on which day a share was split and renamed', async ({ open }) => {
    const { page } = await open('/tata-motors?tf=1D', { as: await addPerson('premium'), engine: 'tezi' })
    await legend(page).waitFor()
    const walk = async (key: string) => {
      const before = await spoken(page)
      await canvas(page).press(key)
      await expectEventually(() => spoken(page)).not.toBe(before)
    }
    await walk('End')
    const today = Date.parse(`${/\d+ \w+ \d+/.exec((await spoken(page)) ?? '')?.[0]} UTC`)
    let left = (today - Date.parse('2025-10-14')) / 86_400_000
    for (; left >= 20; left -= 20) await walk('PageUp')
    for (; left > 0; left -= 1) await walk('ArrowLeft')
    await expectEventually(() => legend(page).textContent()).toContain(
      '2025-10-14: Commercial vehicles became a company of their own (TMCV)',
    )
    for (let day = 14; day < 24; day += 1) await walk('ArrowRight')
    await expectEventually(() => legend(page).textContent()).toContain('2025-10-24: The symbol TATAMOTORS became TMPV.')
  })
})

/** Vertical dashed lines in the colour of session breaks. */
function dashedColumns(page: Page): Promise<number> {
  return page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d')
    if (pen === null) return 0
    const style = getComputedStyle(document.documentElement)
    const rgbOf = (name: string) => {
      pen.fillStyle = style.getPropertyValue(name)
      pen.fillRect(0, 0, 1, 1)
      return pen.getImageData(0, 0, 1, 1).data
    }
    const [line, ground] = [rgbOf('--color-line-strong'), rgbOf('--color-canvas')]
    const wanted = [0, 1, 2].map((part) => (line[part] ?? 0) * 0.8 + (ground[part] ?? 0) * 0.2)
    const counts = [...document.querySelectorAll<HTMLCanvasElement>('[data-testid=chart-canvas] canvas')].map((layer) => {
      const { width, height } = layer
      const data = layer.getContext('2d')?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray()
      const isLine = (x: number, y: number) =>
        wanted.every((value, part) => Math.abs((data[(y * width + x) * 4 + part] ?? 0) - value) <= 2) &&
        data[(y * width + x) * 4 + 3] === 255
      let columns = 0
      for (let x = 0; x < width; x += 1) {
        let pixels = 0
        for (let y = 0; y < height; y += 1) if (isLine(x, y)) pixels += 1
        if (pixels > height / 5) columns += 1
      }
      return columns
    })
    return Math.max(0, ...counts)
  })
}

test.describe('on a phone', () => {
  test('every dialog over the chart is accessible and fits', { tag: '@slow' }, async ({ open }) => {
    const { page } = await open('/btc-usdt', { as: await addPerson('premium'), size: phone, engine: 'tezi' })
    await seeTick(page)
    await expectAccessible(page)
    await tool(page, 'Horizontal line').tap()
    await page.touchscreen.tap(200, 500)
    await tool(page, 'Remove all drawings').tap()
    await see(page, /^All drawings on this instrument will be removed\./)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await styleField(page).tap()
    await page.getByRole('option', { name: 'Renko' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await press(page, 'Chart options')
    await page.getByRole('group', { name: 'Price scale' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await press(page, 'Go to date')
    await press(page, 'Choose date')
    await expect(page.getByRole('dialog', { name: 'Choose date' }).getByRole('row').last()).toBeInViewport({ ratio: 0.9 })
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await press(page, 'Data table')
    await page.getByTestId('bar-table').waitFor()
    await expectAccessible(page)
    await press(page, 'Back to chart')
    await press(page, 'Menu')
    await press(page, 'Settings')
    for (const number of [1, 2, 3, 4, 5, 6]) await page.getByRole('switch', { name: `Chart ${number}` }).tap()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    // Those on the price scale are collapsed on a small screen.
    await page.getByRole('button', { name: '4 studies' }).tap()
    await expectEventually(() => page.locator('[data-study]').count()).toBe(6)
    await expectAccessible(page)
  })
})
