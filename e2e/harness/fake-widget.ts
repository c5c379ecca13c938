// Answers for the charting provider inside the test: a frame that speaks its messages, so that nothing leaves the machine.
import type { BrowserContext, Frame, Page } from 'playwright-core'

export const widgetHost = 'https://www.tradingview-widget.com'

/** What the fake does: draw, say that it has no candles, or never answer. */
export type WidgetMood = 'ready' | 'no-data' | 'silent'

export interface FakeWidget {
  mood: WidgetMood
  /** How many frames were asked for so far. */
  readonly loads: () => number
}

const pageOf = (messages: readonly string[]) => `<!doctype html><html lang="en"><title>Chart</title><p>Chart</p><script>
for (const name of ${JSON.stringify(messages)}) parent.postMessage({ name, frameElementId: null, data: {} }, '*')
</script>`

const messagesOf = { ready: ['tv-widget-load', 'tv-widget-ready'], 'no-data': ['tv-widget-no-data'] } as const

/** Puts the fake in front of the provider's host for every page of this context. */
export async function fakeWidget(context: BrowserContext): Promise<FakeWidget> {
  let loads = 0
  const fake: FakeWidget = { mood: 'ready', loads: () => loads }
  await context.route(`${widgetHost}/**`, async (route) => {
    loads += 1
    // An unanswered request stays open until the page gives up on the frame.
    if (fake.mood === 'silent') return
    await route.fulfill({ contentType: 'text/html; charset=utf-8', body: pageOf(messagesOf[fake.mood]) })
  })
  return fake
}

/** The configuration that the chart's frame was given in its address. */
export async function widgetConfigOf(page: Page): Promise<Record<string, unknown>> {
  const source = await page.getByTestId('chart-frame').getAttribute('src')
  const url = new URL(source ?? '')
  if (url.origin !== widgetHost || url.pathname !== '/embed-widget/advanced-chart/') throw new Error(`Not the widget's frame: ${source}`)
  return JSON.parse(decodeURIComponent(url.hash.slice(1))) as Record<string, unknown>
}

/** The frames that really run the widget now. */
export function widgetFrames(page: Page): Frame[] {
  return page.frames().filter((frame) => frame.url().startsWith(widgetHost))
}
