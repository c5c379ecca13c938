// Texts, numbers and times of the specification that only a real browser can show.
import { expect } from '@playwright/test'
import { addPerson } from './harness/people.ts'
import { press, see } from './harness/see.ts'
import { expectEventually, test } from './harness/test.ts'

test.describe('a visitor', () => {
  test('reads the four claims, samples labelled as samples, and the years [spec 9.13]', async ({ open }) => {
    const { page } = await open('/')
    await see(page, '© 2016–2024 Tezi')
    expect(await page.getByText(/^(5\+|1M\+|20\+|99\.9%)$/).allTextContents()).toEqual(['5+', '1M+', '20+', '99.9%'])
    expect(await page.getByText(/^(charts|analysts|assets|data accuracy)$/).allTextContents()).toEqual([
      'charts',
      'analysts',
      'assets',
      'data accuracy',
    ])
    expect(await page.getByText('Sample', { exact: true }).count()).toBe(4)
  })
})

test.describe('the hint below a field', () => {
  test('is yellow while a phone number is too short [spec 5.4]', async ({ open }) => {
    const { page } = await open('/login?mode=sign-up')
    await page.getByLabel('Phone', { exact: true }).fill('98765')
    const hint = page.getByText('Phone number must be 10 digits', { exact: true })
    const [red = 0, green = 0, blue = 0] = await hint.evaluate((element) => {
      const brush = new OffscreenCanvas(1, 1).getContext('2d')
      if (brush === null) throw new Error('The browser cannot draw')
      brush.fillStyle = getComputedStyle(element).color
      brush.fillRect(0, 0, 1, 1)
      return [...brush.getImageData(0, 0, 1, 1).data]
    })
    const isYellow = Math.min(red, green) > 2 * blue && Math.abs(red - green) < 100
    expect(isYellow, `red ${red}, green ${green}, blue ${blue}`).toBe(true)
  })
})

test.describe('a message', () => {
  test('appears at the bottom right, is dark and disappears after 5,000 ms [spec 9.12]', async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('free'), before: (fresh) => fresh.clock.install() })
    await page.route('**/api/v1/auth/sign-out', (route) => route.abort())
    await page.getByRole('button', { name: 'Sign Out' }).waitFor()
    // React shows lazy-loaded content after a timer, which the stopped clock would block.
    await page.getByRole('region', { name: 'Notifications' }).waitFor({ state: 'attached' })
    await page.clock.pauseAt(Date.now() + 60_000)
    await press(page, 'Sign Out')
    const toast = page.getByRole('dialog', { name: 'Error' }).or(page.getByRole('alertdialog', { name: 'Error' }))
    await toast.getByText('Failed to sign out. Please try again.', { exact: true }).waitFor()
    await page.clock.runFor(1_000)
    // It slides into its position.
    await expectEventually(async () => {
      const { x = 0, y = 0, width = 0, height = 0 } = (await toast.boundingBox()) ?? {}
      return [1440 - (x + width), 900 - (y + height)]
    }).toEqual([16, 16])
    const brightness = await toast.evaluate((element) => {
      const brush = new OffscreenCanvas(1, 1).getContext('2d')
      if (brush === null) throw new Error('The browser cannot draw')
      brush.fillStyle = getComputedStyle(element).backgroundColor
      brush.fillRect(0, 0, 1, 1)
      return Math.max(...brush.getImageData(0, 0, 1, 1).data.slice(0, 3))
    })
    expect(brightness).toBeLessThan(64)
    await page.clock.runFor(3_900)
    expect(await toast.count()).toBe(1)
    await page.clock.runFor(200)
    // The clock is paused: it disappears now, and not later.
    // In one call: the toast may be removed between a count and a read of its attribute.
    const isLeaving = () => toast.evaluateAll((elements) => elements.every((element) => element.hasAttribute('data-ending-style')))
    await expectEventually(isLeaving).toBe(true)
    await page.clock.resume()
    await expectEventually(() => toast.count()).toBe(0)
  })
})

test.describe('the router', () => {
  test('shows the screens of a broken address and of a POST to a page, and finds a page in other letters', async ({ open, pageErrors }) => {
    const { page } = await open('/%')
    await see(page, '400 Bad request')
    await page.getByRole('link', { name: 'Go to Homepage' }).click()
    await page.getByRole('link', { name: 'Start Analysis' }).first().waitFor()
    await page.goto('/EUR-USD?timeframe=15')
    expect(page.url()).toMatch(/\/eur-usd\?timeframe=15$/)
    await page.evaluate(() => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action: '/eur-usd' })
      document.body.append(form)
      form.submit()
    })
    await see(page, '405 Method not allowed')
    // The router logs what it shows a page for.
    expect(pageErrors.filter((error) => /blocked|policy|uncaught/.test(error))).toEqual([])
    pageErrors.length = 0
  })

  for (const [status, words] of [
    [405, '405 Method not allowed'],
    [418, 'Unexpected Application Error!'],
  ] as const) {
    test(`handles a screen that denies access with ${status} by a page of its own`, async ({ open, pageErrors }) => {
      const body = `export function ResetPasswordLinkScreen() { throw { status: ${status}, statusText: '', internal: false, data: null } }`
      const { page } = await open('/reset-password', {
        before: async (fresh) => {
          await fresh.route(/\/assets\/mail-links-[^/]+\.js/, (route) => route.fulfill({ contentType: 'text/javascript', body }))
        },
      })
      await see(page, words)
      await page.getByRole('img').first().waitFor()
      await page.getByRole('link', { name: 'Go to Homepage' }).waitFor()
      // The denial is logged, and there are no other errors.
      expect(pageErrors.filter((error) => /blocked|policy/.test(error))).toEqual([])
      pageErrors.length = 0
    })
  }
})
