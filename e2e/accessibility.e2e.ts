// Every screen: no violation found by axe, no horizontal scrolling, nothing covered, and everything reached with the keyboard.
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './harness/accessible.ts'
import { coveredControls, tabStops } from './harness/controls.ts'
import { collectCanvasTexts, readPageTexts } from './harness/page-texts.ts'
import { addPerson } from './harness/people.ts'
import { allScreens, mainScreens, type Screen } from './harness/screens.ts'
import { expectNoSideScroll } from './harness/see.ts'
import { desktop, expectEventually, phone, sizes, test, type Open, type OpenOptions } from './harness/test.ts'

const slow = { tag: '@slow' }

async function openScreen(open: Open, screen: Screen, options: OpenOptions) {
  const { page } = await open(screen.path, { ...options, ...(screen.as === undefined ? {} : { as: await addPerson(screen.as) }) })
  await screen.ready(page)
  return page
}

test.describe('at 390x844', () => {
  for (const screen of mainScreens)
    test(`${screen.name} is accessible`, async ({ open }) => {
      await expectAccessible(await openScreen(open, screen, { size: phone }))
    })
})

for (const [name, size] of sizes) {
  test.describe(`at ${name}`, slow, () => {
    for (const screen of allScreens)
      test(`${screen.name} is accessible, also in forced colours`, async ({ open }) => {
        const page = await openScreen(open, screen, { size })
        await expectAccessible(page)
        await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
        await expectAccessible(page)
      })
  })
}

const narrow = [
  ['1440x900 at 200 %', { width: desktop.width / 2, height: desktop.height / 2 }],
  ['320 pixels', { width: 320, height: 640 }],
  ['1280x800 at 400 %', { width: 320, height: 200 }],
] as const

test.describe('at 320 pixels, 200 and 400 %', slow, () => {
  for (const screen of allScreens)
    test(`${screen.name} neither scrolls sideways nor covers a control`, async ({ open }) => {
      const page = await openScreen(open, screen, { size: narrow[0][1] })
      for (const [name, size] of narrow)
        await test.step(name, async () => {
          await page.setViewportSize(size)
          await expectNoSideScroll(page)
          // The lowest window shows few controls at once; they scroll.
          if (size.height > 200) expect(await coveredControls(page)).toEqual([])
        })
    })
})

/** What a page cuts off, and how far it scrolls sideways. */
async function lossesOf(page: Page) {
  await page.evaluate(() => document.fonts.ready)
  const { clipped, sideways } = await readPageTexts(page)
  return { clipped, sideways }
}

test.describe('at 200 %', slow, () => {
  for (const screen of allScreens)
    test(`${screen.name} is whole, zoomed and with large letters`, async ({ open }) => {
      const page = await openScreen(open, screen, { size: narrow[0][1], before: collectCanvasTexts })
      await test.step('zoomed', async () => {
        await expectEventually(() => lossesOf(page)).toEqual({ clipped: [], sideways: 0 })
      })
      await test.step('the font size of the browser', async () => {
        await page.setViewportSize(desktop)
        const session = await page.context().newCDPSession(page)
        await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
        await expectEventually(() => page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px')
        await expectEventually(() => lossesOf(page)).toEqual({ clipped: [], sideways: 0 })
      })
    })
})

test.describe('with the keyboard alone', slow, () => {
  for (const screen of allScreens)
    test(`every tab stop of ${screen.name} shows the focus, and none is covered`, async ({ open }) => {
      const page = await openScreen(open, screen, { size: desktop })
      const isDialog = (await page.getByRole('dialog').count()) > 0
      test.skip(isDialog, 'A dialog keeps the focus on purpose')
      const stops = await tabStops(page)
      expect(stops.length).toBeGreaterThan(0)
      expect(stops.filter(({ hasRing, isCovered }) => !hasRing || isCovered)).toEqual([])
    })
})

test.describe('the chart screen', () => {
  test('is crossed in few tab stops, one of them the menu of instruments, and lists its keys', async ({ open }) => {
    const { page } = await open('/btc-usd', { as: await addPerson('premium'), engine: 'tezi' })
    await page.getByTestId('chart-legend').waitFor()
    await page.getByRole('toolbar', { name: 'Drawing tools' }).waitFor()
    const stops = await tabStops(page)
    const menu = stops.filter(({ part }) => part === 'nav Instruments')
    expect(menu.map(({ name }) => name)).toEqual(['BTC/USD'])
    const chart = stops.findIndex(({ name }) => name.includes('Tezi chart'))
    expect(chart).toBeGreaterThan(0)
    expect(chart).toBeLessThan(32)
    expect(stops.filter(({ hasRing, isCovered }) => !hasRing || isCovered)).toEqual([])

    await page.getByRole('navigation', { name: 'Instruments' }).getByRole('link', { name: 'BTC/USD', exact: true }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === '/btc-usdt')

    await page.getByTestId('chart-legend').waitFor()
    await page.getByTestId('chart-canvas').press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet.getByText('Read the values bar by bar').waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    await expect(page.getByTestId('chart-canvas')).toBeFocused()
  })

  test('keeps the places in its menu while prices arrive, and shows that there is more', async ({ open }) => {
    const { page } = await open('/eur-usd', { as: await addPerson('premium'), engine: 'tezi' })
    const menu = page.getByRole('navigation', { name: 'Instruments' })
    const places = () => menu.locator('li').evaluateAll((entries) => entries.map((entry) => entry.getBoundingClientRect().left))
    await menu.getByRole('link', { name: 'EUR/USD' }).waitFor()
    await page.evaluate(() => document.fonts.ready)
    const before = await places()
    expect(await page.getByTestId('menu-price').count()).toBe(0)
    await page.getByTestId('menu-price').nth(8).waitFor()
    expect(await places()).toEqual(before)
    await menu.getByTestId('more-after').click()
    await menu.getByTestId('more-before').waitFor()
  })

  test('has at most 120 pixels of bars above the chart of a phone, and its tools below', async ({ open }) => {
    const { page } = await open('/btc-usd', { as: await addPerson('premium'), engine: 'tezi', size: phone })
    const legend = page.getByTestId('chart-legend')
    await legend.waitFor()
    const chart = await page.getByTestId('native-chart').boundingBox()
    expect(chart?.y).toBeLessThanOrEqual(120)
    const bar = await page.getByTestId('phone-bar').boundingBox()
    expect(bar?.y).toBeGreaterThan(chart?.y ?? 0)
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(phone.height)
    expect(await page.getByTestId('phone-bar').getByRole('button', { name: 'Chart options' }).count()).toBe(1)
    await expectNoSideScroll(page)
    // Nothing lies over the values of the crosshair.
    const values = await legend.locator('p').first().boundingBox()
    const over = await page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest('button, a') !== null, {
      x: (values?.x ?? 0) + 20,
      y: (values?.y ?? 0) + (values?.height ?? 0) - 6,
    })
    expect(over).toBe(false)
  })
})

test.describe('forced colours', () => {
  test('show what is selected, pressed and on, and the chart follows them', async ({ open }) => {
    const { page } = await open('/btc-usd', {
      as: await addPerson('premium'),
      engine: 'tezi',
      before: (fresh) => fresh.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' }),
    })
    await page.getByTestId('chart-legend').waitFor()
    const fill = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor)
    const highlight = await page.evaluate(() => {
      const probe = document.createElement('i')
      probe.style.backgroundColor = 'Highlight'
      document.body.append(probe)
      return getComputedStyle(probe).backgroundColor
    })
    expect(await fill('input[name=timeframe]:checked + span')).toBe(highlight)
    expect(await fill('input[name=timeframe]:not(:checked) + span')).not.toBe(highlight)
    expect(await fill('nav [aria-current=true]')).toBe(highlight)
    await page.getByRole('toolbar', { name: 'Drawing tools' }).waitFor()
    expect(await fill('[role=toolbar] [aria-pressed=true]')).toBe(highlight)
    const inks = await page.evaluate(() => {
      const style = getComputedStyle(document.body)
      const canvas = document.querySelector<HTMLCanvasElement>('[data-testid=chart-canvas] canvas')
      const [red, green, blue] = canvas?.getContext('2d')?.getImageData(2, 2, 1, 1).data ?? []
      return {
        page: style.backgroundColor,
        chart: `rgb(${red}, ${green}, ${blue})`,
        root: getComputedStyle(document.documentElement).backgroundColor,
      }
    })
    expect(inks.chart).toBe(inks.root)
  })
})
