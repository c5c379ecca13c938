// What is open beside a Tezi chart while it shows another instrument, or none: panels stay, what belonged to the series goes.
import { expect, type Page } from '@playwright/test'
import { connectInRows } from './harness/connect-in-rows.ts'
import { canvas, chooseTimeframe, legend, tool } from './harness/native-chart.ts'
import { addPerson } from './harness/people.ts'
import { arriveAt, press } from './harness/see.ts'
import { desktop, expectEventually, phone, test } from './harness/test.ts'
import { livePath, type LiveCondition, type ServerMessage } from '../shared/market-data/live/contract.ts'

const menuLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Instruments' }).getByRole('link', { name, exact: true })
const table = (page: Page) => page.getByTestId('bar-table')
const studies = (page: Page) => page.getByTestId('studies-panel')

async function choose(page: Page, name: string): Promise<void> {
  await menuLink(page, name).click()
  await page.getByRole('heading', { name: new RegExp(`^${name}`) }).waitFor()
  await page.getByTestId('chart-loading').waitFor({ state: 'hidden' })
}

test.describe('a change of instrument', { tag: '@slow' }, () => {
  test('keeps the data table, which then has the other bars, until it is closed', async ({ open }) => {
    const { page } = await open('/btc-usdt?tf=5', { as: await addPerson('premium'), engine: 'tezi' })
    await legend(page).waitFor()
    await press(page, 'Data table')
    const caption = () => table(page).locator('caption').textContent()
    await expectEventually(caption).toMatch(/Bitcoin.*5m/)
    const firstPrice = () => table(page).locator('tbody td').first().textContent()
    const before = await firstPrice()
    await choose(page, 'ETH/USDT')
    await expectEventually(caption).toMatch(/Ethereum.*5m/)
    await expectEventually(firstPrice).not.toBe(before)
    await chooseTimeframe(page, '1h')
    await expectEventually(caption).toMatch(/Ethereum.*1h/)
    expect(await page.getByRole('button', { name: 'Data table' }).getAttribute('aria-pressed')).toBe('true')
    await press(page, 'Back to chart')
    await choose(page, 'BTC/USDT')
    expect(await table(page).count()).toBe(0)
  })

  test('keeps the page of the studies panel, which comes back after a chart of the provider, and leaves the focus', async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('premium') })
    await legend(page).waitFor()
    await press(page, 'Studies')
    await press(page, 'Settings of Relative Strength Index')
    const settings = page.getByRole('region', { name: 'Relative Strength Index' })
    await settings.waitFor()
    const group = (name: string) => page.getByRole('navigation', { name: 'Asset group' }).getByRole('link', { name })
    await group('CRYPTO').click()
    await page.getByTestId('chart-frame').waitFor()
    expect(await studies(page).count()).toBe(0)
    await group('FUTURE').click()
    await settings.waitFor()
    await expect(group('FUTURE')).toBeFocused()
    await page.getByRole('radio', { name: 'Two charts' }).click()
    await page.getByRole('button', { name: 'All charts show the same instrument' }).waitFor()
    await expectEventually(() => legend(page).count()).toBe(2)
    await page.keyboard.press('Alt+2')
    await page.getByTestId('cell').nth(1).getByTestId('studies-panel').waitFor()
    await expect(canvas(page).nth(1)).toBeFocused()
  })

  test('closes menus, puts the tool away and keeps the drawings with their instrument', async ({ open }) => {
    const { page } = await open('/btc-usdt?tf=5', { as: await addPerson('premium'), engine: 'tezi' })
    await legend(page).waitFor()
    await tool(page, 'Horizontal line').click()
    await page.mouse.click(500, 400)
    await expectEventually(() => tool(page, 'Undo').getAttribute('aria-disabled')).toBe('false')
    await tool(page, 'Trend line').click()
    for (const menu of ['Chart options', 'Go to date', /^Axes:/]) {
      await page.getByRole('button', { name: menu }).click()
      await expectEventually(() => page.locator(':popover-open').count()).toBe(1)
      await choose(page, 'ETH/USDT')
      expect(await page.locator(':popover-open').count()).toBe(0)
      expect(await tool(page, 'Select and move').getAttribute('aria-pressed')).toBe('true')
      expect(await tool(page, 'Undo').getAttribute('aria-disabled')).toBe('true')
      expect(await tool(page, 'Remove all drawings').getAttribute('aria-disabled')).toBe('true')
      await choose(page, 'BTC/USDT')
      await expectEventually(() => tool(page, 'Remove all drawings').getAttribute('aria-disabled')).toBe('false')
    }
  })
})

test.describe('a chart that has no prices', { tag: '@slow' }, () => {
  for (const size of [desktop, phone])
    test(`has no tools, panel or table at ${size.width} pixels, and has them again with the prices`, async ({ open }) => {
      let give: (hasPrices: boolean) => void = () => undefined
      const { page } = await open('/btc-usdt?tf=5', {
        as: await addPerson('premium'),
        engine: 'tezi',
        size,
        before: async (fresh) => void (give = await switchPrices(fresh, 'eth-usdt')),
      })
      await legend(page).waitFor()
      const live = [
        page.getByRole('toolbar', { name: 'Drawing tools' }),
        page.getByRole('button', { name: 'Studies', exact: true }),
        page.getByRole('button', { name: 'Chart options' }),
        page.getByRole('button', { name: 'Go to date' }),
        page.getByRole('button', { name: 'Data table' }),
        page.getByRole('button', { name: 'Save image' }),
        page.getByRole('button', { name: /^Axes:/ }),
        page.getByRole('combobox', { name: 'Style' }),
        studies(page),
        legend(page),
      ]
      await press(page, 'Studies')
      for (const part of live) await part.first().waitFor()

      give(false)
      await page.goto('/eth-usdt?tf=5')
      await page.getByRole('heading', { name: 'No prices for this chart' }).waitFor()
      for (const part of live) expect(await part.filter({ visible: true }).count(), String(part)).toBe(0)
      expect(await canvas(page).filter({ visible: true }).count()).toBe(0)
      await page.getByRole('button', { name: 'Retry' }).waitFor()
      await arriveAt(page, '/eth-usdt')

      give(true)
      await page.getByRole('heading', { name: 'No prices for this chart' }).waitFor({ state: 'detached' })
      await press(page, 'Studies')
      for (const part of live) await part.first().waitFor()
      // Lost again while everything is open.
      give(false)
      await page.getByRole('heading', { name: 'No prices for this chart' }).waitFor()
      for (const part of live) await expectEventually(() => part.filter({ visible: true }).count(), String(part)).toBe(0)
      give(true)
      await studies(page).waitFor()
    })
})

/** Takes the prices of an instrument away, and gives them back; call before the page is opened. */
async function switchPrices(page: Page, slug: string): Promise<(hasPrices: boolean) => void> {
  let hasPrices = true
  let last: { readonly k: string; readonly condition: LiveCondition } | undefined
  let send: (message: ServerMessage) => void = () => undefined
  const shown = (condition: LiveCondition): LiveCondition => (hasPrices ? condition : { ...condition, label: null })
  await page.routeWebSocket(
    (url) => url.pathname.endsWith(livePath),
    (socket) => {
      send = (message) => socket.send(JSON.stringify(message))
      connectInRows(socket).onMessage((text) => {
        const message = JSON.parse(String(text)) as ServerMessage
        if (!('condition' in message) || !message.k.startsWith(`${slug}:`)) return socket.send(text)
        last = message
        send({ ...message, condition: shown(message.condition) })
      })
    },
  )
  return (next) => {
    hasPrices = next
    if (last !== undefined) send({ t: 'cond', k: last.k, condition: shown(last.condition) })
  }
}
