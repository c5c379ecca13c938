// A browser in which the user has chosen one of the two charts before.
import type { Page } from '@playwright/test'

export type Engine = 'tezi' | 'tradingview'

/** To be called before the page is opened. */
export async function preferEngine(page: Page, engine: Engine): Promise<void> {
  await page.addInitScript((chosen) => {
    // The provider's frame has no storage of ours.
    if (window.top === window) localStorage.setItem('chart.engine', chosen)
  }, engine)
}
