// What the journeys on our own chart share: how a person opens it, and what can be seen on it.
import { type Page, type Response } from '@playwright/test'
import { press } from './see.ts'
import { expectEventually } from './test.ts'

export const legend = (page: Page) => page.getByTestId('chart-legend')
export const canvas = (page: Page) => page.getByTestId('chart-canvas')
export const spoken = (page: Page) => page.getByTestId('spoken-bar').textContent()

/** Resolves once the chart shows another last price than now. */
export async function seeTick(page: Page): Promise<void> {
  const before = await legend(page).textContent()
  await expectEventually(() => legend(page).textContent()).not.toBe(before)
}

/** As somebody who has chosen our own chart before. */
export const preferTezi = (page: Page) => prefer(page, 'tezi')
/** As somebody who has chosen the provider's chart before. */
export const preferWidget = (page: Page) => prefer(page, 'tradingview')

async function prefer(page: Page, engine: 'tezi' | 'tradingview'): Promise<void> {
  await page.addInitScript((chosen) => {
    // The provider's frame has no storage of ours.
    if (window.top === window) localStorage.setItem('chart.engine', chosen)
  }, engine)
}

/** Whether the picture of the chart holds a pixel of this colour. */
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

/** The bars in view as the table of the chart tells them, newest first: time and prices of each. */
export async function barsInView(page: Page): Promise<string[]> {
  await press(page, 'Bars as a table')
  const rows = page.getByTestId('bar-table').locator('tbody tr')
  await rows.first().waitFor()
  const texts = await rows.allInnerTexts()
  await press(page, 'Back to the chart')
  return texts
}

/** Waits for a save of the workspace that this brings about; one that meets that of another browser is made again. */
export async function savesWorkspace(page: Page, act: () => Promise<unknown>): Promise<void> {
  const isSaved = (reply: Response) =>
    reply.url().endsWith('/user/workspace') && reply.request().method() === 'PUT' && reply.status() === 200
  await Promise.all([page.waitForResponse(isSaved), act()])
}

export const tool = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Drawing tools' }).getByRole('button', { name, exact: true })
