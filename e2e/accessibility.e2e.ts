// Every screen in both sizes: no violation found by axe, and no horizontal scrolling.
import type { Page } from '@playwright/test'
import { expectAccessible } from './harness/accessible.ts'
import { addPerson, type Kind } from './harness/people.ts'
import { press, see, seeNoMore } from './harness/see.ts'
import { taggedSizes, test } from './harness/test.ts'

interface Screen {
  readonly name: string
  readonly path: string
  readonly as?: Kind
  /** Waits until the screen is complete, and opens its dialogs and menus. */
  readonly ready: (page: Page) => Promise<void>
}

const screens: readonly Screen[] = [
  { name: 'landing', path: '/', ready: (page) => page.getByRole('link', { name: 'Start Analysis' }).first().waitFor() },
  { name: 'sign-in', path: '/login', ready: (page) => page.getByRole('button', { name: 'Sign in to Dashboard' }).waitFor() },
  { name: 'sign-up', path: '/login?mode=sign-up', ready: (page) => page.getByRole('button', { name: 'Create Account' }).waitFor() },
  {
    name: 'sign-up with its errors',
    path: '/login?mode=sign-up',
    ready: async (page) => {
      await press(page, 'Create Account')
      await see(page, 'Please fill in all required fields')
    },
  },
  { name: 'dashboard', path: '/', as: 'free', ready: (page) => page.getByTestId('chart-legend').waitFor() },
  {
    name: 'dashboard with a chart',
    path: '/eur-usd',
    as: 'premium',
    ready: async (page) => {
      await page.getByTestId('chart-frame').waitFor()
      await seeNoMore(page, 'Loading chart...')
    },
  },
  { name: 'locked', path: '/eur-usd', as: 'free', ready: (page) => page.getByRole('heading', { name: 'Premium user required' }).waitFor() },
  { name: 'admin', path: '/admin', as: 'admin', ready: (page) => page.getByRole('heading').first().waitFor() },
  { name: '403', path: '/admin', as: 'free', ready: (page) => see(page, /^403/) },
  { name: '404', path: '/no-such-chart', ready: (page) => see(page, /^404/) },
]

for (const { name, size, details } of taggedSizes) {
  test.describe(`at ${name}`, details, () => {
    for (const screen of screens) {
      test(`${screen.name} is accessible`, async ({ open }) => {
        const person = screen.as === undefined ? {} : { as: await addPerson(screen.as) }
        const { page } = await open(screen.path, { ...person, size })
        await screen.ready(page)
        await expectAccessible(page)
      })
    }
  })
}
