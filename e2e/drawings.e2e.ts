// Drawings on the Tezi chart: by mouse, touch and keyboard, undone, saved, and loaded in a second browser.
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './harness/accessible.ts'
import { tool, watchDrawings } from './harness/native-chart.ts'
import { addPerson, type Person } from './harness/people.ts'
import { seeNoMore } from './harness/see.ts'
import { expectEventually, phone, test, type Open } from './harness/test.ts'

interface Kept {
  readonly kind: string
  readonly anchors: readonly { readonly timeMs: number; readonly price: number }[]
}

async function saved(page: Page, act: () => Promise<void>): Promise<readonly Kept[]> {
  const [reply] = await Promise.all([
    page.waitForResponse((reply) => reply.url().endsWith('/user/drawings/nifty') && reply.request().method() === 'PUT'),
    act(),
  ])
  expect(reply.status()).toBe(200)
  return (reply.request().postDataJSON() as { drawings: Kept[] }).drawings
}

/** Opens the chart, and waits until it and its saved drawings are loaded. */
async function openChart(open: Open, person: Person): Promise<Page> {
  let areRead: (() => Promise<void>) | undefined
  const { page } = await open('/', {
    as: person,
    before: async (fresh) => {
      areRead = watchDrawings(fresh)
    },
  })
  await areRead?.()
  await seeNoMore(page, 'Loading chart...')
  return page
}

async function drag(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
  await page.mouse.move(...from)
  await page.mouse.down()
  await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2)
  await page.mouse.move(...to)
  await page.mouse.up()
}

test.describe('a drawing', () => {
  test('is drawn, moved, removed and restored, and is there after a reload and on a second browser', async ({ open }) => {
    const person = await addPerson('free')
    const page = await openChart(open, person)
    await tool(page, 'Trend line').click()
    const [drawn] = await saved(page, () => drag(page, [500, 500], [800, 400]))
    expect(drawn?.kind).toBe('trend')
    const [moved] = await saved(page, () => drag(page, [650, 450], [650, 480]))
    expect(moved?.anchors[0]?.price).toBeLessThan(drawn?.anchors[0]?.price ?? 0)
    expect(moved?.anchors[0]?.timeMs).toBe(drawn?.anchors[0]?.timeMs)
    expect(await saved(page, () => page.keyboard.press('Delete'))).toEqual([])
    expect(await saved(page, () => page.keyboard.press('Control+z'))).toEqual([moved])

    await page.reload()
    await expectEventually(() => tool(page, 'Remove all drawings').getAttribute('aria-disabled')).toBe('false')
    const other = (await open('/', { as: person })).page
    await expectEventually(() => tool(other, 'Remove all drawings').getAttribute('aria-disabled')).toBe('false')
  })

  test('is created and moved by the keyboard alone', async ({ open }) => {
    const page = await openChart(open, await addPerson('free'))
    await tool(page, 'Select and move').focus()
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowDown')
    const [line] = await saved(page, () => page.keyboard.press('Enter'))
    expect(line?.kind).toBe('horizontal')
    await expectEventually(() => page.getByTestId('spoken-drawing').textContent()).toContain('Horizontal line drawn')
    await page.getByTestId('chart-canvas').focus()
    const [up] = await saved(page, () => page.keyboard.press('Shift+ArrowUp'))
    expect(up?.anchors[0]?.price).toBeGreaterThan(line?.anchors[0]?.price ?? 0)
  })

  test('works with touch on a phone, where the tools are below the chart', async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('free'), size: phone })
    await tool(page, 'Horizontal line').tap()
    const [line] = await saved(page, () => page.touchscreen.tap(200, 500))
    expect(line?.kind).toBe('horizontal')
    await expectAccessible(page)
  })
})
