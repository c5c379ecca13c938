// App shell: header, menu and locks by kind of user, premium offer, and chart settings.
import { describe, expect, test } from 'vitest'
import { api } from '#shared/api.ts'
import { AppError } from '#shared/http/app-error.ts'
import { noChartFlags } from '#shared/chart/chart-flags.ts'
import { setViewport } from '#web/testing/browser-stubs.ts'
import { passTime, stopClock } from '#web/testing/clock.ts'
import { eventually } from '#web/testing/eventually.ts'
import type { Kind } from '#shared/testing/user.ts'
import { anySentence, server } from '#web/testing/fake-server.ts'
import type { Page } from '#web/testing/page.ts'
import { openPage } from '#web/testing/render.tsx'
import { answerCharts } from '#web/testing/screens.ts'
import { descriptionOf, textsOf } from '#web/testing/see.ts'

const menuOfSpec = [
  ['FOREX', ['EUR/USD', 'GBP/USD', 'EUR/GBP', 'USD/CAD', 'USD/JPY', 'CAD/JPY', 'AUD/USD', 'GBP/JPY', 'EUR/JPY']],
  ['CRYPTO', ['BTC/USD', 'BTC/USDT', 'XAU/USD', 'BITCOIN', 'CAKE/USDT', 'ETH/USDT', 'DOGE/USDT']],
  ['FUTURE', ['SENSEX']],
  ['STOCKS', ['TATA MOTORS', 'RELIANCE', 'TATA STEEL', 'HAVELLS', 'BAJAJ FINANCE']],
] as const

function openChart(as: Kind, path = '/eur-usd'): Page {
  answerCharts()
  return openPage(path, { as })
}

async function textOf(page: Page, id: string): Promise<string> {
  await page.find('banner')
  return document.querySelector(`[data-testid=${id}]`)?.textContent ?? ''
}

describe('header', () => {
  test('for a free user has support, date, 12-hour clock, timeframe, email, tag, the premium button and sign-out [spec 2.14, 9.10]', async () => {
    // Load the shell's modules before the clock stops.
    const page = openChart('free')
    const header = await page.find('banner')
    stopClock(new Date(2026, 10, 20, 14, 5, 8, 500).getTime())
    document.dispatchEvent(new Event('visibilitychange'))
    await eventually(async () => expect(await textOf(page, 'clock')).toBe('02:05:08 PM'))
    expect(await textOf(page, 'date')).toBe('Fri, 20 Nov 2026')
    await passTime(500)
    await eventually(async () => expect(await textOf(page, 'clock')).toBe('02:05:09 PM'))
    expect(await textOf(page, 'timeframe-label')).toBe('1m')
    const support = await page.find('link', 'Support', header)
    expect([support.getAttribute('href'), support.getAttribute('target')]).toEqual(['https://t.me/tezi_support', '_blank'])
    for (const text of ['free@example.in', 'Free User']) await page.see(text, header)
    for (const button of ['Premium Chart', 'Sign Out']) await page.find('button', button, header)
    expect([page.all('button', 'Settings', header), page.all('link', 'Admin Dashboard', header)]).toEqual([[], []])
  })

  test.each([
    ['a premium user', 'premium', []],
    ['an admin', 'admin', ['Admin Dashboard']],
  ] as const)('for %s (%s) has the premium tag, the settings, and %j [spec 2.15, 2.16]', async (_, kind, links) => {
    const page = openChart(kind)
    const header = await page.find('banner')
    await page.see('Premium User', header)
    await page.find('button', 'Settings', header)
    expect(page.all('button', 'Premium Chart', header)).toEqual([])
    expect(textsOf(page.all('link', 'Admin Dashboard', header))).toEqual(links)
    for (const link of page.all('link', 'Admin Dashboard', header)) expect(link.getAttribute('href')).toBe('/admin')
  })
})

describe('the menu', () => {
  test.each([
    ['/btc-usd', ['CRYPTO']],
    ['/sensex', ['FUTURE']],
    // Routed, but in no group.
    ['/', []],
    ['/es', []],
  ])('at %s lights %j, the group of the chart', async (path, lit) => {
    const page = openChart('premium', path)
    const groups = page.all('link', undefined, await page.find('navigation', 'Asset group'))
    expect(textsOf(groups.filter((link) => link.getAttribute('aria-current') === 'true'))).toEqual(lit)
  })

  test('is one tab stop, the chart on the screen, with arrow keys inside', async () => {
    const page = openChart('premium', '/gbp-usd')
    const menu = await page.find('navigation', 'Instruments')
    const stops = [...menu.querySelectorAll<HTMLElement>('a, button')].filter(({ tabIndex }) => tabIndex === 0)
    expect(textsOf(stops)).toEqual(['GBP/USD'])
    stops[0]?.focus()
    await page.user.keyboard('{ArrowLeft}{ArrowLeft}')
    expect(document.activeElement?.textContent).toBe('EUR/USD')
  })
})

test.each([
  ['desktop', 'header'],
  ['phone', 'main'],
] as const)('on a %s, timeframes and layouts are in the %s', async (viewport, part) => {
  setViewport(viewport)
  const page = openChart('premium')
  expect((await page.find('group', 'Timeframe')).closest('header, main')?.localName).toBe(part)
  expect((await page.find('button', 'Layouts')).closest('header, main')?.localName).toBe(part)
  expect((await page.find('combobox', 'Chart')).closest('[data-testid=phone-bar]') !== null).toBe(part === 'main')
})

describe('the keys of the chart', () => {
  test('are listed after a press of ? in the chart area, and by a button', async () => {
    const page = openChart('premium')
    const main = await page.find('main')
    main.focus()
    await page.user.keyboard('?')
    const sheet = await page.find('dialog', 'Keyboard shortcuts')
    for (const act of ['Read the values bar by bar', 'Undo, redo', 'Search instruments']) await page.see(act, sheet)
    await page.press('Close', sheet)
    await page.goneFrom('dialog', 'Keyboard shortcuts')
    await page.press('Keyboard shortcuts')
    await page.find('dialog', 'Keyboard shortcuts')
  })

  test('do nothing elsewhere', async () => {
    const page = openChart('premium')
    ;(await page.find('button', 'Sign Out')).focus()
    await page.user.keyboard('?')
    expect(page.all('dialog')).toEqual([])
  })
})

describe('a free user', () => {
  test("shows the locked card at a chart's address, with a link to NIFTY", async () => {
    const page = openChart('free')
    await page.find('heading', 'Premium user required')
    await page.see('This chart is part of premium. NIFTY stays open for everyone.')
    expect((await page.find('link', 'Open NIFTY')).getAttribute('href')).toBe('/')
    expect(document.querySelector('iframe')).toBeNull()
    expect(server.calls(api.chart.config)).toEqual([])
  })

  test('sees all instruments in the menu, locked, with the reason [spec 2.7, 4.5]', async () => {
    const page = openChart('free')
    const menu = await page.find('navigation', 'Instruments')
    for (const [group, labels] of menuOfSpec) {
      await page.user.click(await page.find('link', group, await page.find('navigation', 'Asset group')))
      await eventually(() => expect(textsOf(page.all('link', undefined, menu))).toEqual(labels))
      for (const link of page.all('link', undefined, menu)) {
        expect([link.getAttribute('aria-disabled'), descriptionOf(link)]).toEqual(['true', 'Premium user required'])
      }
    }
    await eventually(() => expect(page.address()).toBe('/tata-motors'))
    await page.user.click(await page.find('link', 'RELIANCE', menu))
    expect(page.address()).toBe('/tata-motors')
  })

  test('sees the subscription dialog after a second of loading [spec 2.17]', async () => {
    const page = openChart('free')
    server.on(api.plans.list, () => ({ success: true, data: [] }))
    const button = await page.find('button', 'Premium Chart')
    stopClock()
    await page.user.click(button)
    await eventually(() => expect(document.querySelector('[data-testid=premium-overlay]')).not.toBeNull())
    await passTime(900)
    expect(page.all('dialog')).toEqual([])
    await passTime(200)
    await page.find('dialog', 'Premium Subscription')
    expect(document.querySelector('[data-testid=premium-overlay]')).toBeNull()
  })
})

describe('chart', () => {
  test('shows a load error and can be retried', async () => {
    const page = openChart('premium')
    await page.see('The chart could not be prepared')
    await page.see('Something went wrong on our server. Please try again.')
    const calls = server.calls(api.chart.config).length
    await page.press('Retry')
    await eventually(() => expect(server.calls(api.chart.config).length).toBeGreaterThan(calls))
  })

  test('has nine timeframes in order, and the selected one is in the address [spec 2.9]', async () => {
    const page = openChart('premium')
    const selector = await page.find('group', 'Timeframe')
    expect(textsOf(selector.querySelectorAll('label'))).toEqual(['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '1D'])
    expect((page.all('radio', '1m', selector)[0] as HTMLInputElement).checked).toBe(true)
    await page.user.click(await page.find('radio', '4h', selector))
    await eventually(async () => expect(await textOf(page, 'timeframe-label')).toBe('4h'))
  })
})

describe('chart settings', () => {
  async function openSettings(): Promise<{ page: Page; panel: HTMLElement }> {
    const page = openChart('premium')
    await page.press('Settings')
    return { page, panel: await page.find('dialog', 'Chart Settings') }
  }

  test('show a load error and can be retried', async () => {
    answerCharts()
    server.reject(api.chart.settings, new AppError('internal', anySentence('Of the server')))
    const page = openPage('/eur-usd', { as: 'premium' })
    await page.press('Settings')
    const panel = await page.find('dialog', 'Chart Settings')
    await page.see('Your chart settings could not be loaded.', panel)
    server.on(api.chart.settings, () => ({ success: true, data: noChartFlags }))
    await page.press('Retry', panel)
    await eventually(() => expect(page.all('switch', undefined, panel)).toHaveLength(6))
  })

  test('are six switches, a button that clears them, and a note [spec 2.18]', async () => {
    const { page, panel } = await openSettings()
    await page.see('Changes are saved automatically', panel)
    for (const label of ['Chart 1', 'Chart 2', 'Chart 3', 'Chart 4', 'Chart 5', 'Chart 6']) {
      expect((await page.find('switch', label, panel)).getAttribute('aria-checked')).toBe('false')
    }
    expect(page.all('switch', undefined, panel)).toHaveLength(6)
    expect((await page.find('button', 'Clear All Settings', panel)).getAttribute('aria-disabled')).toBe('true')
    await page.press('Close', panel)
    await page.goneFrom('dialog', 'Chart Settings')
  })

  test('update at once, are saved together, and roll back when saving fails', async () => {
    const { page, panel } = await openSettings()
    const isOn = async (label: string) => (await page.find('switch', label, panel)).getAttribute('aria-checked')
    await eventually(async () => expect((await page.find('switch', 'Chart 3', panel)).hasAttribute('data-disabled')).toBe(false))
    server.disconnect(api.chart.saveSettings)
    await page.user.click(await page.find('switch', 'Chart 3', panel))
    await eventually(async () => expect(await isOn('Chart 3')).toBe('true'))
    await page.see('Your chart settings could not be saved. Please try again.')
    await eventually(async () => expect(await isOn('Chart 3')).toBe('false'))
    server.on(api.chart.saveSettings, ({ body }) => ({ success: true, data: body }))
    const failed = server.calls(api.chart.saveSettings).length
    await page.user.click(await page.find('switch', 'Chart 3', panel))
    await page.user.click(await page.find('switch', 'Chart 5', panel))
    await eventually(() =>
      expect(
        server
          .calls(api.chart.saveSettings)
          .slice(failed)
          .map(({ body }) => body),
      ).toEqual([{ ...noChartFlags, zigZag: true, renkoSRvolume: true }]),
    )
    await page.press('Clear All Settings', panel)
    await eventually(async () => expect([await isOn('Chart 3'), await isOn('Chart 5')]).toEqual(['false', 'false']))
    await eventually(() => expect(server.calls(api.chart.saveSettings).at(-1)?.body).toEqual(noChartFlags))
    await page.see('All chart settings are off.')
    await page.press('Undo')
    await eventually(async () => expect([await isOn('Chart 3'), await isOn('Chart 5')]).toEqual(['true', 'true']))
    await eventually(() =>
      expect(server.calls(api.chart.saveSettings).at(-1)?.body).toEqual({ ...noChartFlags, zigZag: true, renkoSRvolume: true }),
    )
  })
})
