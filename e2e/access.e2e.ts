// Pages that a user may not open, and unknown addresses.
import { expect } from '@playwright/test'
import { addPerson } from './harness/people.ts'
import { arriveAt, see, seeNoMore } from './harness/see.ts'
import { expectEventually, test } from './harness/test.ts'

test.describe('a free user', () => {
  test('a direct visit to the address of a chart shows the locked card and the way to premium', async ({ open }) => {
    const { page, widget } = await open('/eur-usd', { as: await addPerson('free') })
    await page.getByRole('heading', { name: 'Premium user required' }).waitFor()
    expect(await page.getByTestId('chart-frame').count()).toBe(0)
    expect(widget.loads()).toBe(0)
    await page.getByRole('link', { name: 'Open NIFTY' }).click()
    await arriveAt(page, '/')
    await seeNoMore(page, 'Premium user required')
  })

  test('sees every instrument of the menu, locked, with the reason', async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('free') })
    const menu = page.getByRole('navigation', { name: 'Instruments' })
    for (const [group, labels] of menuOfSpec) {
      await page.getByRole('navigation', { name: 'Asset group' }).getByRole('link', { name: group, exact: true }).click()
      await expectEventually(() => menu.getByRole('link').allTextContents()).toEqual(labels)
      const states = await menu.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('aria-disabled')))
      expect(new Set(states)).toEqual(new Set(['true']))
    }
    const path = new URL(page.url()).pathname
    await menu.getByRole('link', { name: 'RELIANCE' }).click({ force: true })
    expect(new URL(page.url()).pathname).toBe(path)
    await menu.getByRole('link').first().hover()
    // As the description for screen readers, and as a tooltip for other users.
    await expectEventually(() => page.getByRole('link', { name: 'TATA MOTORS', description: 'Premium user required' }).count()).toBe(1)
    await page.getByRole('tooltip').filter({ hasText: 'Premium user required' }).waitFor()
  })
})

test.describe('anyone', () => {
  test('sees a clear message when a screen crashes', async ({ open, pageErrors }) => {
    const { page } = await open('/reset-password', {
      before: async (fresh) => {
        await fresh.route(/\/assets\/mail-links-[^/]+\.js/, (route) =>
          route.fulfill({
            contentType: 'text/javascript',
            body: 'export function ResetPasswordLinkScreen() { throw new Error("broken") }',
          }),
        )
      },
    })
    await see(page, 'Unexpected Application Error!')
    await page.getByRole('button', { name: 'Reload the page' }).waitFor()
    // The crash is logged, and only that.
    expect(pageErrors.filter((error) => /blocked|policy/.test(error))).toEqual([])
    pageErrors.length = 0
  })
})

const menuOfSpec = [
  ['FOREX', ['EUR/USD', 'GBP/USD', 'EUR/GBP', 'USD/CAD', 'USD/JPY', 'CAD/JPY', 'AUD/USD', 'GBP/JPY', 'EUR/JPY']],
  ['CRYPTO', ['BTC/USD', 'BTC/USDT', 'XAU/USD', 'BITCOIN', 'CAKE/USDT', 'ETH/USDT', 'DOGE/USDT']],
  ['FUTURE', ['SENSEX']],
  ['STOCKS', ['TATA MOTORS', 'RELIANCE', 'TATA STEEL', 'HAVELLS', 'BAJAJ FINANCE']],
] as const
