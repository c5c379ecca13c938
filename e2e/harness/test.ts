// `test` with a browser: each page gets an empty profile, and at the end nothing may have left the machine or gone wrong unseen.
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { afterAll, expect, inject, test as base } from 'vitest'
import { fakeWidget, widgetHost, type FakeWidget } from './fake-widget.ts'
import { signInByApi, type Person } from './people.ts'

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

export interface OpenOptions {
  readonly as?: Person
  readonly size?: typeof desktop
  readonly zone?: string
  /** Another server on the same database, such as one that keeps mails. */
  readonly origin?: string
  /** Rights that the person has given to the page, such as to write to the clipboard. */
  readonly permissions?: readonly string[]
  /** Runs before the first page is opened, such as to stop its clock. */
  readonly before?: (page: Page, widget: FakeWidget) => Promise<void>
}

export interface Opened {
  readonly page: Page
  readonly widget: FakeWidget
}

export type Open = (path: string, options?: OpenOptions) => Promise<Opened>

let browser: Promise<Browser> | undefined

afterAll(async () => {
  await (await browser)?.close()
  browser = undefined
})

export const test = base.extend<{ open: Open; faults: string[] }>({
  /** What the pages of this test complained about; a test that causes a complaint on purpose empties it. */
  faults: async ({}, use) => {
    const faults: string[] = []
    await use(faults)
    expect(faults).toEqual([])
  },
  open: async ({ faults }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (path, options = {}) => {
      const context = await newContext(options)
      contexts.push(context)
      await keepInside(context, options.origin ?? inject('world').origin, faults)
      const widget = await fakeWidget(context)
      const page = await context.newPage()
      listenForFaults(page, faults)
      await options.before?.(page, widget)
      await page.goto(path)
      return { page, widget }
    })
    for (const context of contexts) await context.close()
  },
})

async function newContext(options: OpenOptions): Promise<BrowserContext> {
  const { browserEndpoint, origin: usual } = inject('world')
  const { as, size = desktop, zone = 'Asia/Kolkata', origin = usual, permissions = [] } = options
  browser ??= chromium.connect(browserEndpoint)
  const context = await (
    await browser
  ).newContext({
    baseURL: origin,
    viewport: size,
    timezoneId: zone,
    locale: 'en-IN',
    hasTouch: size === phone,
    serviceWorkers: 'block',
    permissions: [...permissions],
    ...(as === undefined ? {} : { storageState: await stateOf(as, origin) }),
  })
  context.setDefaultTimeout(20_000)
  return context
}

async function stateOf(person: Person, origin: string) {
  const { cookies, stored } = await signInByApi(person, origin)
  const { hostname } = new URL(origin)
  return {
    cookies: cookies.map((cookie) => ({ ...cookie, domain: hostname, path: '/', expires: -1, secure: false })),
    origins: [{ origin, localStorage: stored }],
  }
}

/** Whatever is neither our server nor the fake is stopped and counts as a fault. Routes added later answer first. */
async function keepInside(context: BrowserContext, origin: string, faults: string[]): Promise<void> {
  await context.route(
    (url) => url.origin !== origin && url.origin !== widgetHost,
    async (route) => {
      faults.push(`left the machine: ${route.request().url()}`)
      await route.abort()
    },
  )
}

function listenForFaults(page: Page, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(`error in the page: ${error.message}`))
  page.on('console', (message) => {
    const text = message.text()
    // A refused call is shown by the page itself, and only that is what the tests are about.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) faults.push(`console: ${text}`)
    if (text.includes('Content Security Policy')) faults.push(`policy: ${text}`)
  })
}
