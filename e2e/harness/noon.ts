// One time for browser and server: noon on a Friday.
import type { Page } from '@playwright/test'

export const noon = new Date('2026-11-20T12:00:10+05:30')

/** Browser and server use the same time, noon on a Friday. */
export async function stopAtNoon(page: Page): Promise<void> {
  await page.clock.install({ time: noon })
  // The live connection would send the server's own time.
  await page.routeWebSocket(/\/market\/live$/, () => undefined)
  await page.route('**/api/v1/market/charts/*', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: { nowMs: number } }
    answer.data.nowMs = await page.evaluate(() => Date.now())
    await route.fulfill({ response, json: answer })
  })
}
