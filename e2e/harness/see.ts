// Waits for what a user would see; every wait is for a condition and ends as soon as it holds.
import { expect, type Locator, type Page } from '@playwright/test'

/** Waits until this text is visible on the page, as a whole unless it is a pattern. */
export async function see(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text, { exact: true }).first().waitFor()
}

/** Waits until this text is nowhere on the page. */
export async function seeNoMore(page: Page, text: string | RegExp): Promise<void> {
  await page.getByText(text, { exact: true }).first().waitFor({ state: 'hidden' })
}

export async function press(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).first().click()
}

/** Waits until the page is at this path. */
export async function arriveAt(page: Page, path: string): Promise<void> {
  await page.waitForURL((url) => url.pathname === path)
}

/** The page must never scroll horizontally. */
export async function expectNoSideScroll(page: Page): Promise<void> {
  const { content, window } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }))
  expect(content).toBeLessThanOrEqual(window)
}

/** Simulates a return to the page, which reads its user unless a live connection follows the account. */
export async function lookAgain(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
}

/** The table row with this text. */
export function rowOf(page: Page, text: string): Locator {
  return page.getByRole('row').filter({ hasText: text })
}

/** Confirms the suspension of Asha Rao, whose effect the server tells first. */
export async function confirmSuspension(page: Page): Promise<void> {
  await page.getByRole('alertdialog', { name: 'Suspend Asha Rao?' }).getByRole('button', { name: 'Suspend' }).click()
}
