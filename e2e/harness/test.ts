// `test` with pages in fresh profiles that cannot reach the internet; a page error or a blocked request fails the test.
import { expect, test as base, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { fakeWidget, widgetHost, type FakeWidget } from './fake-widget.ts'
import { startFrozenServer } from './frozen-server.ts'
import { storageStateOf, type Person } from './people.ts'
import { world, type ServerUnderTest } from './world.ts'

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }
export const sizes = [
  ['1440x900', desktop],
  ['390x844', phone],
] as const

export interface OpenOptions {
  readonly as?: Person
  readonly size?: typeof desktop
  readonly zone?: string
  /** Another server than that of the person, such as one that keeps mails. */
  readonly origin?: string
  /** Permissions of the page, such as to write to the clipboard. */
  readonly permissions?: readonly string[]
  /** Runs before the first page is opened, such as to freeze its clock. */
  readonly before?: (page: Page, widget: FakeWidget) => Promise<void>
}

export interface Opened {
  readonly page: Page
  readonly widget: FakeWidget
}

export type Open = (path: string, options?: OpenOptions) => Promise<Opened>

export const test = base.extend<{ open: Open; pageErrors: string[] }, { frozenServer: ServerUnderTest }>({
  /** Errors of the pages of this test; a test that causes one on purpose removes it. */
  pageErrors: async ({}, use) => {
    const pageErrors: string[] = []
    await use(pageErrors)
    expect(pageErrors).toEqual([])
  },
  /** Opens a page in a profile of its own. */
  open: async ({ browser, pageErrors }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (path, options = {}) => {
      const origin = options.origin ?? options.as?.server?.origin ?? world().origin
      const context = await newContext(browser, origin, options)
      contexts.push(context)
      await blockInternet(context, origin, pageErrors)
      const widget = await fakeWidget(context)
      const page = await context.newPage()
      collectPageErrors(page, pageErrors)
      await options.before?.(page, widget)
      await page.goto(path)
      return { page, widget }
    })
    for (const context of contexts) {
      // A test's own route may be waiting for the server; its end is no error.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
    }
  },
  /** A server with frozen clock and prices, started by the first test of the worker that asks for it. */
  frozenServer: [
    async ({}, use) => {
      const server = await startFrozenServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
})

/** `expect.poll` that looks again soon: a page of this suite answers within milliseconds. */
export const expectEventually: typeof expect.poll = (read, options) =>
  expect.poll(read, { intervals: [50, 100], ...(typeof options === 'string' ? { message: options } : options) })

async function newContext(browser: Browser, origin: string, options: OpenOptions): Promise<BrowserContext> {
  const { as, size = desktop, zone = 'Asia/Kolkata', permissions = [] } = options
  const context = await browser.newContext({
    baseURL: origin,
    viewport: size,
    timezoneId: zone,
    locale: 'en-IN',
    hasTouch: size === phone,
    serviceWorkers: 'block',
    permissions: [...permissions],
    ...(as === undefined ? {} : { storageState: await storageStateOf(as, origin) }),
  })
  context.setDefaultTimeout(20_000)
  return context
}

/** Aborts and reports every request to neither the server nor the fake widget. Routes that are added later answer first. */
async function blockInternet(context: BrowserContext, origin: string, pageErrors: string[]): Promise<void> {
  await context.route(
    (url) => url.origin !== origin && url.origin !== widgetHost,
    async (route) => {
      pageErrors.push(`blocked request to the internet: ${route.request().url()}`)
      await route.abort()
    },
  )
}

function collectPageErrors(page: Page, pageErrors: string[]): void {
  page.on('pageerror', (error) => pageErrors.push(`uncaught error: ${error.message}`))
  page.on('console', (message) => {
    const text = message.text()
    // The page shows a failed call itself, and only that is what the tests are about.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) pageErrors.push(`console: ${text}`)
    if (text.includes('Content Security Policy')) pageErrors.push(`policy: ${text}`)
  })
}
