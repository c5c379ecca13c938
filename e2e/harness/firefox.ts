// Pages in Firefox, over WebDriver BiDi: Playwright drives only a build of its own, which no user has.
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { ensureFirefox } from '../../scripts/ensure-firefox.ts'
import type { Loss } from './lost-scripts.ts'
import { desktop } from './test.ts'

export function launchFirefox(): Promise<Browser> {
  return puppeteer.launch({ browser: 'firefox', executablePath: ensureFirefox(), headless: true, defaultViewport: desktop })
}

/** A page in a fresh profile, which adds its errors and its violations of the policy to `problems`. */
export async function openInFirefox(browser: Browser, address: string, problems: string[]): Promise<Page> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  page.on('pageerror', (error) => problems.push(`uncaught error: ${String(error)}`))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  await page.evaluateOnNewDocument(reportViolations)
  await page.goto(address)
  return page
}

/** Runs in the page. */
function reportViolations(): void {
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    console.error(`violation of the page's policy: ${effectiveDirective} ${blockedURI}`)
  })
}

/** Aborts requests for scripts whose path contains this, the first one or all, until the returned function is called. Call it before the page is opened. */
export async function loseInFirefox(page: Page, script: string, loss: Loss): Promise<() => void> {
  let isLosing = true
  await page.setRequestInterception(true)
  page.on('request', (request) => {
    const isLost = isLosing && new URL(request.url()).pathname.startsWith(`/assets/${script}`)
    if (isLost && loss === 'once') isLosing = false
    // One that began before this cannot be held back.
    void (isLost ? request.abort('connectionreset') : request.continue()).catch(() => undefined)
  })
  return () => (isLosing = false)
}

const named = (role: string, name: string) => `::-p-aria([name="${name}"][role="${role}"])`

export function press(page: Page, role: string, name: string): Promise<void> {
  return page.locator(named(role, name)).click()
}

/** Waits until this element is visible. */
export async function seeElement(page: Page, role: string, name: string): Promise<void> {
  await page.locator(named(role, name)).wait()
}

/** Waits until an element that contains this text is visible. */
export async function see(page: Page, text: string): Promise<void> {
  await page.locator(`::-p-text(${text})`).wait()
}

/** Types into the field with this name in its form. */
export function fill(page: Page, field: string, text: string): Promise<void> {
  return page.locator(`input[name=${field}]`).fill(text)
}
