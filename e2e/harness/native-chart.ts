// Shared by tests of the Tezi chart: its parts, its bars, and the saves that a change causes.
import { type Page, type Response } from '@playwright/test'
import type { Workspace } from '../../shared/workspace/workspace.ts'
import { press } from './see.ts'
import { expectEventually } from './test.ts'

export const legend = (page: Page) => page.getByTestId('chart-legend')
export const canvas = (page: Page) => page.getByTestId('chart-canvas')
export const spoken = (page: Page) => page.getByTestId('spoken-bar').textContent()

/** Resolves once the chart shows another last price than now. Not for shares: their generated price rests for up to a minute. */
export async function seeTick(page: Page): Promise<void> {
  const before = await legend(page).textContent()
  await expectEventually(() => legend(page).textContent()).not.toBe(before)
}

/** Whether the chart's image contains a pixel of this colour. */
export function hasColour(page: Page, hex: string): Promise<boolean> {
  return page.evaluate((wanted) => {
    const layers = [...document.querySelectorAll<HTMLCanvasElement>('[data-testid=chart-canvas] canvas')]
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(wanted.slice(at, at + 2), 16))
    return layers.some((layer) => {
      const { data } = layer.getContext('2d')?.getImageData(0, 0, layer.width, layer.height) ?? { data: [] }
      for (let at = 0; at < data.length; at += 4) if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) return true
      return false
    })
  }, hex)
}

/** The visible bars from the chart's data table, newest first: time and prices of each. */
export async function barsInView(page: Page): Promise<string[]> {
  await press(page, 'Data table')
  const rows = page.getByTestId('bar-table').locator('tbody tr')
  await rows.first().waitFor()
  const texts = await rows.allInnerTexts()
  await press(page, 'Back to chart')
  return texts
}

/** Waits for a save of the workspace that this causes; a conflict with another browser's save is retried. */
export async function savesWorkspace(page: Page, holds: (saved: Workspace) => boolean, act: () => Promise<unknown>): Promise<void> {
  const isSaved = (reply: Response) =>
    reply.url().endsWith('/user/workspace') &&
    reply.request().method() === 'PUT' &&
    reply.status() === 200 &&
    holds((reply.request().postDataJSON() as { workspace: Workspace }).workspace)
  await Promise.all([page.waitForResponse(isSaved), act()])
}

export const tool = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Drawing tools' }).getByRole('button', { name, exact: true })

export async function chooseTimeframe(page: Page, label: string): Promise<void> {
  await page.getByRole('radio', { name: label, exact: true }).check()
  await page.getByTestId('chart-loading').waitFor({ state: 'hidden' })
  await legend(page).waitFor()
}

/** Call before the page is opened; returns a wait until the page has loaded the saved drawings of NIFTY. */
export function watchDrawings(page: Page): () => Promise<void> {
  let reads = 0
  page.on('response', (reply) => (reads += reply.url().endsWith('/user/drawings/nifty') ? 1 : 0))
  return () => expectEventually(() => reads).toBeGreaterThan(0)
}

/** Start times of the visible bars, newest first. */
export async function timesInView(page: Page): Promise<string[]> {
  return (await barsInView(page)).map((row) => row.split('\t')[0] ?? '')
}

/** Scrolls to bars of the second page of history. */
export async function goFarBack(page: Page): Promise<void> {
  await canvas(page).press('Home')
  const first = await spoken(page)
  await expectEventually(async () => (await canvas(page).press('Home'), spoken(page))).not.toBe(first)
  // Away from the edge, where bars may still be loading.
  for (let at = 0; at < 40; at += 1) await canvas(page).press('PageDown')
  await canvas(page).press('Escape')
}
