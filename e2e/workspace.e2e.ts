// The workspace: search, favourites, the last chart on another device, layouts, prices in the menu, and the alarm.
import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './harness/accessible.ts'
import { savesWorkspace } from './harness/native-chart.ts'
import { addPerson } from './harness/people.ts'
import { arriveAt, expectNoSideScroll, press, see, seeNoMore } from './harness/see.ts'
import { stopAtNoon } from './harness/noon.ts'
import { expectEventually, phone, taggedSizes, test } from './harness/test.ts'

const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })

async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Name or symbol' })
  await field.waitFor()
  await expectEventually(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.type(text)
}

test.describe('the search', () => {
  test('leads a free user from a locked instrument to premium, and to NIFTY directly', async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('free') })
    await page.getByRole('button', { name: 'Search instruments' }).waitFor()
    await search(page, 'eurusd')
    await option(page, 'EUR/USD Euro / US Dollar Premium user required').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Premium' }).or(page.getByText('Please wait')).first().waitFor()
    await arriveAt(page, '/')
  })

  test('works by the keyboard alone, announces the number of results, and closes with Escape', async ({ open }) => {
    const { page } = await open('/eur-usd?tf=15', { as: await addPerson('premium') })
    await page.getByRole('button', { name: 'Search instruments' }).waitFor()
    await search(page, 'no such thing')
    await see(page, 'No instruments found.')
    await page.keyboard.press('Escape')
    await seeNoMore(page, 'No instruments found.')
    await search(page, 'tata')
    await see(page, '2 instruments')
    await page.keyboard.press('ArrowDown')
    expect(await option(page, /TATA STEEL/).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('ArrowDown')
    expect(await option(page, /TATA MOTORS/).getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === '/tata-steel' && url.search === '?tf=15')
  })
})

test.describe('a favourite', () => {
  test('is there after a reload and on a second browser, first in the search', async ({ open }) => {
    const person = await addPerson('premium')
    const { page } = await open('/btc-usdt', { as: person })
    await savesWorkspace(
      page,
      ({ favourites }) => favourites.includes('doge-usdt'),
      () => page.getByRole('button', { name: 'Add DOGE/USDT to favourites' }).click(),
    )
    await page.reload()
    await page.getByRole('button', { name: 'Remove DOGE/USDT from favourites' }).waitFor()
    const other = (await open('/eth-usdt', { as: person })).page
    await other.getByRole('button', { name: 'Remove DOGE/USDT from favourites' }).waitFor()
    await search(other, '')
    await expectEventually(() => other.getByRole('option').first().textContent()).toContain('DOGE/USDT')
  })
})

test.describe('the last chart', () => {
  test('comes back on another device, once; an explicit address takes precedence', async ({ open }) => {
    const person = await addPerson('premium')
    const { page } = await open('/eur-usd', { as: person })
    await page.getByRole('radio', { name: '15m' }).waitFor()
    await savesWorkspace(
      page,
      ({ last }) => last?.timeframe === '15',
      () => page.getByRole('radio', { name: '15m' }).check(),
    )
    const other = (await open('/', { as: person })).page
    await other.waitForURL((url) => url.pathname === '/eur-usd' && url.search === '?tf=15')
    // Once: from then on the bare address is NIFTY.
    await other.getByRole('link', { name: 'Tezi' }).first().click()
    await other.goto('/')
    await other.getByRole('button', { name: 'Search instruments' }).waitFor()
    await arriveAt(other, '/')
    const third = (await open('/gbp-usd', { as: person })).page
    await third.getByRole('button', { name: 'Search instruments' }).waitFor()
    await arriveAt(third, '/gbp-usd')
  })

  test('is skipped if it has become locked', async ({ open }) => {
    const person = await addPerson('free')
    const { page } = await open('/', { as: person })
    await page.getByRole('button', { name: 'Search instruments' }).waitFor()
    await savesWorkspace(
      page,
      ({ last }) => last?.slug === 'eur-usd',
      () => page.goto('/eur-usd'),
    )
    const other = (await open('/', { as: person })).page
    await savesWorkspace(
      other,
      ({ last }) => last?.slug === 'nifty',
      () => other.waitForLoadState(),
    )
    await arriveAt(other, '/')
  })
})

test.describe('chart settings', () => {
  test('made in one browser apply in another one', async ({ open }) => {
    const person = await addPerson('premium')
    const { page } = await open('/', { as: person })
    await page.getByLabel('Style', { exact: true }).waitFor()
    await savesWorkspace(
      page,
      ({ options }) => options?.style === 'line',
      () => page.getByLabel('Style', { exact: true }).selectOption('Line'),
    )
    const other = (await open('/', { as: person })).page
    await expectEventually(() => other.getByLabel('Style', { exact: true }).inputValue()).toBe('line')
  })
})

test.describe('a layout', () => {
  test('is saved under a name, renamed, opened and removed', { tag: '@slow' }, async ({ open }) => {
    const { page } = await open('/eth-usdt?tf=60', { as: await addPerson('premium') })
    await press(page, 'Layouts')
    await see(page, 'No saved layouts yet.')
    await press(page, 'Save')
    await see(page, 'Enter a name.')
    await page.getByLabel('Name of the new layout').fill('Morning')
    await savesWorkspace(
      page,
      ({ layouts }) => layouts.length === 1,
      () => press(page, 'Save'),
    )
    await page.getByLabel('Name of the new layout').fill('morning')
    await press(page, 'Save')
    await see(page, 'A layout with this name already exists.')
    await page.getByLabel('On the screen').selectOption('Two charts')
    await savesWorkspace(
      page,
      ({ layouts }) => layouts[0]?.grid === 2,
      () => press(page, 'Update Morning to what is on the screen'),
    )
    await see(page, 'ETH/USDT 1h, ETH/USDT 1h')
    await press(page, 'Rename Morning')
    await page.getByLabel('New name of Morning').fill('Evening')
    await savesWorkspace(
      page,
      ({ layouts }) => layouts[0]?.name === 'Evening',
      () => page.getByLabel('New name of Morning').press('Enter'),
    )

    await page.goto('/eur-usd')
    await press(page, 'Layouts')
    await press(page, 'Open Evening')
    await page.waitForURL((url) => url.pathname === '/eth-usdt' && url.search === '?tf=60')
    await press(page, 'Layouts')
    await savesWorkspace(
      page,
      ({ layouts }) => layouts.length === 0,
      () => press(page, 'Remove Evening'),
    )
    await see(page, 'No saved layouts yet.')
  })

  test('is saved and opened by touch on a phone, and by keys alone in a second browser', async ({ open }) => {
    const person = await addPerson('premium')
    const { page } = await open('/eth-usdt?tf=60', { as: person, size: phone })
    const tap = (name: string) => page.getByRole('button', { name, exact: true }).tap()
    await tap('Layouts')
    await page.getByLabel('Name of the new layout').tap()
    await page.keyboard.insertText('Morning')
    await savesWorkspace(
      page,
      ({ layouts }) => layouts.length === 1,
      () => tap('Save'),
    )
    await see(page, 'ETH/USDT 1h')
    await page.goto('/eur-usd')
    await tap('Layouts')
    await tap('Open Morning')
    await page.waitForURL((url) => url.pathname === '/eth-usdt' && url.search === '?tf=60')

    const other = (await open('/gbp-usd?tf=5', { as: person })).page
    await tabTo(other, 'Layouts')
    await other.keyboard.press('Enter')
    await see(other, 'ETH/USDT 1h')
    await tabTo(other, 'Open Morning')
    await other.keyboard.press('Enter')
    await other.waitForURL((url) => url.pathname === '/eth-usdt' && url.search === '?tf=60')
  })
})

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const target = page.getByRole('button', { name, exact: true })
  await target.waitFor()
  for (let at = 0; at < 80; at += 1) {
    if (await target.evaluate((button) => button === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${name}`)
}

test.describe('the menu', () => {
  test('shows last prices and changes, each with its label, and none to a free user', async ({ open }) => {
    const { page } = await open('/btc-usdt', { as: await addPerson('premium') })
    const prices = page.getByTestId('menu-price')
    await expectEventually(() => prices.count()).toBe(7)
    for (const text of await prices.allTextContents()) expect(text).toMatch(/^[\d,.]+([+\u2212]?\d+\.\d\d%)?DEMO$/)
    // A click on the price selects the instrument as well.
    await prices.nth(5).scrollIntoViewIfNeeded()
    const box = await prices.nth(5).boundingBox()
    await page.mouse.click((box?.x ?? 0) + 12, (box?.y ?? 0) + 4)
    await arriveAt(page, '/eth-usdt')
    await expectNoSideScroll(page)
    const free = (await open('/', { as: await addPerson('free') })).page
    await free.getByTestId('countdown').waitFor()
    expect(await free.getByTestId('menu-price').count()).toBe(0)
  })
})

test.describe('the candle alarm', () => {
  test('is off by default, rejects invalid input, and signals once it is on', async ({ open }) => {
    const { page } = await open('/btc-usdt?tf=5', { as: await addPerson('premium'), before: stopAtNoon })
    await press(page, 'Candle alarm')
    const onOff = page.getByLabel('Alert before candle close')
    expect(await onOff.isChecked()).toBe(false)
    const seconds = page.getByLabel('Seconds before the close')
    await seconds.fill('0')
    await see(page, 'Enter a whole number from 1 to 300.')
    await seconds.fill('30')
    await savesWorkspace(
      page,
      ({ alarm }) => alarm.isOn && alarm.secondsBefore === 30,
      () => onOff.check(),
    )
    const message = page.getByText('BTC/USDT 5m: The candle closes in 30 seconds.')
    // A second and a half before the signal; from here on only the test moves the clock.
    await page.clock.pauseAt(new Date('2026-11-20T12:04:28.500+05:30'))
    await onOff.uncheck()
    await onOff.check()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Candle alarm' }).and(page.getByTitle('Candle alarm (on)')).waitFor()
    expect(await message.count()).toBe(0)
    await page.clock.pauseAt(new Date('2026-11-20T12:04:30.500+05:30'))
    await message.waitFor()
  })
})

for (const { name, size, details } of taggedSizes) {
  test.describe(`on a ${name}`, details, () => {
    test('every dialog is accessible and fits', async ({ open }) => {
      const { page } = await open('/btc-usdt', { as: await addPerson('premium'), size })
      await expectEventually(() => page.getByTestId('menu-price').count()).toBe(7)
      await seeNoMore(page, 'Loading chart...')
      await expectAccessible(page)
      await press(page, 'Search instruments')
      await option(page, /NIFTY 50/).waitFor()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await press(page, 'Layouts')
      await page.getByLabel('Name of the new layout').fill('Morning')
      await press(page, 'Save')
      await page.getByRole('button', { name: 'Open Morning' }).waitFor()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await press(page, 'Candle alarm')
      await see(page, 'Candle alarm')
      await expectAccessible(page)
    })
  })
}
