// Words, numbers and times of the specification that no other journey reads; each stands here as the specification has it.
import { expect, type Page } from '@playwright/test'
import { addPerson, addRequest } from './harness/people.ts'
import { press, rowOf, see } from './harness/see.ts'
import { expectEventually, test } from './harness/test.ts'

test.describe('a visitor', () => {
  test('reads the four claims, samples that call themselves samples, and the years', async ({ open }) => {
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

  test('finds the way from one form to the other in the top bar and under the form', async ({ open }) => {
    const { page } = await open('/login')
    for (const place of ['banner', 'main'] as const) {
      await page.getByRole(place).getByRole('link', { name: 'Create an account' }).click()
      await page.getByRole('button', { name: 'Create Account' }).waitFor()
      expect(await page.getByRole('main').getByRole('textbox').count()).toBe(5)
      for (const label of ['Full name', 'Email', 'Phone', 'Password', 'Confirm password']) {
        await page.getByRole('textbox', { name: label, exact: true }).waitFor()
      }
      await page.getByRole(place).getByRole('link', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'Sign in to Dashboard' }).waitFor()
    }
  })
})

test.describe('the header', () => {
  test('of a free user holds support, date, 12-hour clock, timeframe, email, tag, the way to premium and out', async ({ open }) => {
    const person = await addPerson('free')
    const { page } = await open('/', { as: person, before: (fresh) => fresh.clock.setFixedTime(new Date('2026-11-20T14:05:09+05:30')) })
    await see(page, person.email)
    const header = page.getByRole('banner')
    expect(await header.getByRole('link', { name: 'Support' }).getAttribute('href')).toBe('https://t.me/tezi_support')
    expect(await header.getByRole('link', { name: 'Support' }).getAttribute('target')).toBe('_blank')
    expect(await page.getByTestId('date').textContent()).toBe('Fri, 20 Nov 2026')
    expect(await page.getByTestId('clock').textContent()).toBe('02:05:09 PM')
    expect(await page.getByTestId('timeframe-label').textContent()).toBe('1m')
    await header.getByText('Free User', { exact: true }).waitFor()
    await header.getByRole('button', { name: 'Premium Chart' }).waitFor()
    await header.getByRole('button', { name: 'Sign Out' }).waitFor()
    expect(await header.getByRole('button', { name: 'Settings' }).count()).toBe(0)
    expect(await header.getByRole('link', { name: 'Admin Dashboard' }).count()).toBe(0)
    await page.clock.setFixedTime(new Date('2026-11-20T14:05:10+05:30'))
    await expectEventually(() => page.getByTestId('clock').textContent()).toBe('02:05:10 PM')
  })

  test('of a premium user holds the settings: six charts, one button that clears them, and a note', async ({ open }) => {
    const { page } = await open('/eur-usd', { as: await addPerson('premium') })
    await press(page, 'Settings')
    expect(await page.getByRole('button', { name: 'Premium Chart' }).count()).toBe(0)
    const panel = page.getByRole('dialog', { name: 'Chart Settings' })
    await panel.getByText('Changes are saved automatically', { exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Clear All Settings' }).waitFor()
    for (const label of ['Chart 1', 'Chart 2', 'Chart 3', 'Chart 4', 'Chart 5', 'Chart 6']) {
      await expectEventually(() => panel.getByRole('switch', { name: label, exact: true }).isChecked()).toBe(false)
    }
    expect(await panel.getByRole('switch').count()).toBe(6)
  })

  test('offers the nine timeframes in their order', async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('free') })
    const selector = page.getByRole('group', { name: 'Timeframe' })
    await selector.getByRole('radio', { name: '1m', exact: true }).waitFor()
    expect(await selector.locator('label').allTextContents()).toEqual(['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '1D'])
    expect(await selector.getByRole('radio', { name: '1m', exact: true }).isChecked()).toBe(true)
  })
})

test.describe('a message', () => {
  test('stands at the bottom right, is dark and goes by itself after 5,000 ms', async ({ open }) => {
    const { page } = await open('/', { as: await addPerson('free'), before: (fresh) => fresh.clock.install() })
    await page.route('**/api/v1/auth/sign-out', (route) => route.abort())
    await page.getByRole('button', { name: 'Sign Out' }).waitFor()
    await page.clock.pauseAt(Date.now() + 60_000)
    await press(page, 'Sign Out')
    const toast = page.getByRole('dialog', { name: 'Error' }).or(page.getByRole('alertdialog', { name: 'Error' }))
    await toast.getByText('Failed to sign out. Please try again.', { exact: true }).waitFor()
    await page.clock.runFor(1_000)
    // It slides into its place.
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
    await page.clock.resume()
    await expectEventually(() => toast.count()).toBe(0)
  })
})

test.describe('All Users', () => {
  test('shows N/A for what is absent, the rail in upper case, and the months with a pencil only above 0', async ({ open }) => {
    const [free, premium, waiting] = [await addPerson('free'), await addPerson('premium'), await addRequest()]
    const { page } = await open(`/admin?search=${free.email}`, { as: await addPerson('admin') })
    const cellsOf = (email: string) => rowOf(page, email).getByRole('cell')
    const pencilsOf = (email: string) => rowOf(page, email).getByRole('button', { name: 'Change subscription months of Asha Rao' })
    await rowOf(page, free.email).waitFor()
    expect((await cellsOf(free.email).allTextContents()).slice(3, 11)).toEqual(['9876543210', 'Regular', '–', '–', '0', '–', 'N/A', 'N/A'])
    expect(await pencilsOf(free.email).count()).toBe(0)
    await search(page, premium.email)
    expect((await cellsOf(premium.email).allTextContents()).slice(4, 6)).toEqual(['Premium', 'paid'])
    expect(await pencilsOf(premium.email).count()).toBe(1)
    await search(page, waiting.email)
    const cells = await cellsOf(waiting.email).allTextContents()
    expect([cells[4], cells[5], cells[7], cells[9]]).toEqual(['Regular', 'pending', '1', 'UPI'])
  })

  test('says in the words of the specification that a password or months could not be set', async ({ open }) => {
    const person = await addPerson('premium')
    const { page } = await open(`/admin?search=${person.email}`, { as: await addPerson('admin') })
    await page.route(/\/api\/v1\/(auth\/forgot-password|admin\/change-sub-months)$/, (route) => route.abort())
    await press(page, 'Reset password of Asha Rao')
    const password = page.getByRole('dialog', { name: 'Change Password' })
    await password.getByLabel('New password', { exact: true }).fill('Elaichi-Lassi-77')
    await password.getByLabel('Confirm password', { exact: true }).fill('Elaichi-Lassi-77')
    await password.getByRole('button', { name: 'Change Password' }).click()
    await see(page, 'An error occurred while updating password')
    await page.keyboard.press('Escape')
    await password.waitFor({ state: 'hidden' })
    await press(page, 'Change subscription months of Asha Rao')
    const months = page.getByRole('dialog', { name: 'Change Subscription Months' })
    await months.getByLabel('Months').fill('7')
    await months.getByRole('button', { name: 'Save' }).click()
    await see(page, 'An error occurred while updating subscription months')
  })

  test('logs an answer that is no list, and shows nothing of it', async ({ open, pageErrors }) => {
    const { page } = await open('/admin', {
      as: await addPerson('admin'),
      before: async (fresh) => {
        await fresh.route(/\/api\/v1\/admin\?/, (route) => route.fulfill({ json: { users: 'Of the server' } }))
      },
    })
    await see(page, 'No user matches.')
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await page.getByText('Of the server').count()).toBe(0)
    expect(pageErrors.length).toBeGreaterThan(0)
    expect(pageErrors.every((error) => error.includes('The list of users could not be read'))).toBe(true)
    pageErrors.length = 0
  })
})

test.describe('the router', () => {
  for (const [status, words] of [
    [400, '400 Bad request'],
    [403, '403 Forbidden'],
    [404, '404 Not found'],
    [405, '405 Method not allowed'],
    [418, 'Unexpected Application Error!'],
  ] as const) {
    test(`answers a screen that refuses with ${status} by a page of its own`, async ({ open, pageErrors }) => {
      const body = `export function LoginScreen() { throw { status: ${status}, statusText: '', internal: false, data: null } }`
      const { page } = await open('/', {
        before: async (fresh) => {
          await fresh.route(/\/assets\/login-[^/]+\.js/, (route) => route.fulfill({ contentType: 'text/javascript', body }))
        },
      })
      await page.getByRole('link', { name: 'Start Analysis' }).first().click()
      await see(page, words)
      await page.getByRole('img').first().waitFor()
      await page.getByRole('link', { name: 'Go to Homepage' }).waitFor()
      // The refusal is logged, and nothing else went wrong.
      expect(pageErrors.filter((error) => /blocked|policy/.test(error))).toEqual([])
      pageErrors.length = 0
    })
  }

  for (const [path, words] of [
    ['/admin', '403 Forbidden'],
    ['/no-such-chart', '404 Not found'],
    ['/admin/no-such-page', '403 Forbidden'],
  ] as const) {
    test(`shows a visitor at ${path} the picture of ${words}`, async ({ open }) => {
      const { page } = await open(path)
      await see(page, words)
      await page.getByRole('img').first().waitFor()
      await page.getByRole('link', { name: 'Go to Homepage' }).waitFor()
    })
  }
})

async function search(page: Page, email: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search' }).fill(email)
  await rowOf(page, email).waitFor()
}
