// Answers for the charting provider inside the test: a frame that speaks its messages, so that nothing leaves the machine.
import type { BrowserContext, Frame, Page, Request, Route } from '@playwright/test'

const widgetHost = 'https://www.tradingview-widget.com'

/**
 * What the fake does: draw, say that it has no candles, never answer the frames; or it cannot be reached, because its name is
 * not found or because whatever is sent to it vanishes.
 */
export type WidgetMood = 'ready' | 'no-data' | 'silent' | 'not-found' | 'vanished'

export interface FakeWidget {
  mood: WidgetMood
  /** Draws in the frames that were left without an answer. */
  readonly answer: () => Promise<void>
  /** How many frames were asked for so far. */
  readonly loads: () => number
}

const messagesOf = { ready: ['tv-widget-load', 'tv-widget-ready'], 'no-data': ['tv-widget-no-data'] } as const

function answerOf(mood: keyof typeof messagesOf): { contentType: string; body: string } {
  const script = `for (const name of ${JSON.stringify(messagesOf[mood])}) parent.postMessage({ name, frameElementId: null, data: {} }, '*')`
  return {
    contentType: 'text/html; charset=utf-8',
    body: `<!doctype html><html lang="en"><title>Chart</title><p>Chart</p><script>${script}</script>`,
  }
}

/** Counts the frames of the provider in this context, and answers them when the pages may have any. */
export async function fakeWidget(context: BrowserContext, isAnswering: boolean): Promise<FakeWidget> {
  let loads = 0
  const unanswered: Route[] = []
  const fake: FakeWidget = {
    mood: 'ready',
    loads: () => loads,
    answer: async () => {
      for (const route of unanswered.splice(0)) await route.fulfill(answerOf('ready'))
    },
  }
  context.on('request', (request) => (loads += isOfWidget(request.url()) && isFrame(request) ? 1 : 0))
  // A route makes Chromium pause every request and forget its cache.
  if (!isAnswering) return fake
  await context.route(`${widgetHost}/**`, async (route) => {
    const isQuestion = !isFrame(route.request())
    if (fake.mood === 'not-found') await route.abort('namenotresolved')
    else if (fake.mood === 'vanished' && isQuestion) return
    // An unanswered request stays open until the page gives up on the frame.
    else if (fake.mood === 'vanished' || (fake.mood === 'silent' && !isQuestion)) unanswered.push(route)
    else await route.fulfill(answerOf(fake.mood === 'no-data' ? 'no-data' : 'ready'))
  })
  return fake
}

/** The page also asks the host whether it can be reached. */
function isFrame(request: Request): boolean {
  return request.resourceType() === 'document'
}

export function isOfWidget(url: string): boolean {
  return url.startsWith(`${widgetHost}/`)
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
  return page.frames().filter((frame) => isOfWidget(frame.url()))
}
