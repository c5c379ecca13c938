// A browser in which the user has already chosen a chart engine.
import type { Page } from '@playwright/test'

export type Engine = 'tezi' | 'tradingview'

/** Call before the page is opened. */
export async function preferEngine(page: Page, engine: Engine): Promise<void> {
  await page.addInitScript((chosen) => {
    // The provider's frame does not have our storage.
    if (window.top === window) localStorage.setItem('chart.engine', chosen)
  }, engine)
}
