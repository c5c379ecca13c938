// `test` with pages in fresh profiles that cannot reach the internet; a page error or a blocked request fails the test.
import { expect, test as base, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from '@playwright/test'
import { fakeWidget, isOfWidget, type FakeWidget } from './fake-widget.ts'
import { startFrozenServer } from './frozen-server.ts'
import { preferEngine, type Engine } from './prefer-engine.ts'
import { signInContext, type Person } from './people.ts'
import { world, type ServerUnderTest } from './world.ts'

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }
export const sizes = [
  ['1440x900', desktop],
  ['390x844', phone],
] as const
/** For long tests that are the same in both sizes: `npm test` runs the phone's, `npm run test:slow` the other. */
export const taggedSizes = sizes.map(([name, size]) => ({ name, size, details: { tag: size === phone ? [] : '@slow' } }))

export interface OpenOptions {
  readonly as?: Person
  readonly size?: typeof desktop
  readonly zone?: string
  /** Overrides the user's server, such as one with an outbox. */
  readonly origin?: string
  /** The chart engine that the user has already chosen. */
  readonly engine?: Engine
  /** Whether the provider's chart may be shown; it is the default for premium users. */
  readonly hasWidget?: boolean
  /** Permissions of the page, such as clipboard write access. */
  readonly permissions?: readonly string[]
  /** Overrides of the browser's profile, such as its zoom. */
  readonly context?: BrowserContextOptions
  /** Runs before the first page is opened, such as to freeze its clock. */
  readonly before?: (page: Page, widget: FakeWidget) => Promise<void>
}

export interface Opened {
  readonly page: Page
  readonly widget: FakeWidget
}

export type Open = (path: string, options?: OpenOptions) => Promise<Opened>

export const test = base.extend<{ open: Open; pageErrors: string[] }, { frozenServer: ServerUnderTest }>({
  /** Page errors of this test; a test that causes one on purpose removes it. */
  pageErrors: async ({}, use) => {
    const pageErrors: string[] = []
    await use(pageErrors)
    expect(pageErrors).toEqual([])
  },
  /** Opens a page in its own profile. */
  open: async ({ browser, pageErrors }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (path, options = {}) => {
      const origin = options.origin ?? options.as?.server?.origin ?? world().origin
      const context = await newContext(browser, origin, options)
      contexts.push(context)
      const hasWidget = options.hasWidget ?? (options.as?.kind === 'premium' && options.engine !== 'tezi')
      const widget = await fakeWidget(context, hasWidget)
      reportInternet(context, (url) => url.origin === origin || (hasWidget && isOfWidget(url.href)), pageErrors)
      const page = await context.newPage()
      collectPageErrors(page, pageErrors)
      await context.addInitScript(reportViolations)
      if (options.engine !== undefined) await preferEngine(page, options.engine)
      await options.before?.(page, widget)
      await page.goto(path)
      return { page, widget }
    })
    for (const context of contexts) {
      // A test's own route may be waiting for the server; closing it is no error.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
    }
  },
  /** A server with frozen clock and prices, started by the first test of the worker that needs it. */
  frozenServer: [
    async ({}, use) => {
      const server = await startFrozenServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
})

/** `expect.poll` with short intervals: a page of this suite responds within milliseconds. */
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
    reducedMotion: 'reduce',
    permissions: [...permissions],
    ...options.context,
  })
  context.setDefaultTimeout(20_000)
  if (as !== undefined) await signInContext(context, as, origin)
  return context
}

/** Some browsers report a violation of the page's policy by this event only. Runs in the page. */
function reportViolations(): void {
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    console.error(`violation of the page's policy: ${effectiveDirective} ${blockedURI}`)
  })
}

/** Reports every request that would leave the machine; the browser's flags block all other hosts. */
function reportInternet(context: BrowserContext, isInside: (url: URL) => boolean, pageErrors: string[]): void {
  const report = (address: string) => {
    // A WebSocket to the server has its origin, with another scheme.
    const url = new URL(address.replace(/^ws/, 'http'))
    if (/^https?:$/.test(url.protocol) && !isInside(url)) pageErrors.push(`blocked request to the internet: ${address}`)
  }
  context.on('request', (request) => report(request.url()))
  context.on('page', (page) => page.on('websocket', (socket) => report(socket.url())))
}

function collectPageErrors(page: Page, pageErrors: string[]): void {
  page.on('pageerror', (error) => pageErrors.push(`uncaught error: ${error.message}`))
  page.on('console', (message) => {
    const text = message.text()
    // The page itself shows failed calls, and only that is under test.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) pageErrors.push(`console: ${text}`)
    if (text.includes('Content Security Policy')) pageErrors.push(`policy: ${text}`)
  })
}
