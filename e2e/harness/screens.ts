// Every screen of the product, each complete: for checks that all of them must pass.
import type { Page } from '@playwright/test'
import type { Kind } from './people.ts'
import { press, see, seeNoMore } from './see.ts'

export interface Screen {
  readonly name: string
  readonly path: string
  readonly as?: Kind
  /** Waits until the screen is complete, and opens its dialogs and menus. */
  readonly ready: (page: Page) => Promise<void>
}

const heading = (name: string) => async (page: Page) => page.getByRole('heading', { name, exact: true }).first().waitFor()
const table = async (page: Page) => {
  await page.getByRole('heading').first().waitFor()
  await page.waitForLoadState('networkidle')
}

/** The ones that are checked on a phone with every run. */
export const mainScreens: readonly Screen[] = [
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
  { name: 'locked', path: '/eur-usd', as: 'free', ready: heading('Premium user required') },
  { name: 'admin', path: '/admin', as: 'admin', ready: (page) => page.getByRole('heading').first().waitFor() },
  { name: '403', path: '/admin', as: 'free', ready: (page) => see(page, /^403/) },
  { name: '404', path: '/no-such-chart', ready: (page) => see(page, /^404/) },
]

const others: readonly Screen[] = [
  { name: 'password link', path: '/login?mode=password-link', ready: (page) => page.getByLabel('Email').waitFor() },
  { name: 'reset link', path: '/reset-password', ready: (page) => page.getByRole('heading').first().waitFor() },
  { name: 'email link', path: '/confirm-email', ready: (page) => page.getByRole('heading').first().waitFor() },
  { name: 'privacy', path: '/privacy', ready: (page) => page.getByRole('heading').first().waitFor() },
  { name: 'account', path: '/account', as: 'premium', ready: table },
  {
    name: 'keys of the chart',
    path: '/',
    as: 'free',
    ready: async (page) => {
      await page.getByTestId('chart-legend').waitFor()
      await page.getByTestId('chart-canvas').press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
  },
  { name: 'requests', path: '/admin/user-req', as: 'admin', ready: table },
  { name: 'plans', path: '/admin/update-payment', as: 'admin', ready: table },
  { name: 'password of an admin', path: '/admin/reset-password', as: 'admin', ready: table },
  { name: 'audit log', path: '/admin/audit', as: 'admin', ready: table },
  { name: 'market data', path: '/admin/market', as: 'admin', ready: (page) => page.getByRole('heading').first().waitFor() },
  { name: 'instruments', path: '/admin/instruments', as: 'admin', ready: (page) => page.getByRole('heading').first().waitFor() },
  { name: 'status', path: '/admin/status', as: 'admin', ready: (page) => page.getByRole('heading').first().waitFor() },
  {
    name: '404 of the admin area',
    path: '/admin/no-such-page',
    as: 'admin',
    // The 404 page arrives prerendered; the admin area takes its place.
    ready: async (page) => {
      await page.getByRole('link', { name: 'Tezi Admin' }).waitFor()
      await page.getByRole('main').getByText(/^404/).waitFor()
    },
  },
]

export const allScreens: readonly Screen[] = [...mainScreens, ...others]
