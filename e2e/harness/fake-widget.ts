// A fake charting provider inside the test: a frame that sends its messages, so that nothing leaves the machine.
import type { BrowserContext, Frame, Page, Request, Route } from '@playwright/test'

const widgetHost = 'https://www.tradingview-widget.com'

/**
 * Behaviour of the fake: draw, report no candles, never answer the frames; or be unreachable, because its name is
 * not found or all its packets are dropped.
 */
export type WidgetMood = 'ready' | 'no-data' | 'silent' | 'not-found' | 'vanished'

export interface FakeWidget {
  mood: WidgetMood
  /** Draws in the unanswered frames. */
  readonly answer: () => Promise<void>
  /** Number of frames requested so far. */
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

/** Counts the frames of the provider in this context, and answers them if the pages may have any. */
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
  // A route makes Chromium pause every request and disables its cache.
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

/** The page also probes whether the host is reachable. */
function isFrame(request: Request): boolean {
  return request.resourceType() === 'document'
}

export function isOfWidget(url: string): boolean {
  return url.startsWith(`${widgetHost}/`)
}

/** The configuration in the URL of the chart's frame. */
export async function widgetConfigOf(page: Page): Promise<Record<string, unknown>> {
  const source = await page.getByTestId('chart-frame').getAttribute('src')
  const url = new URL(source ?? '')
  if (url.origin !== widgetHost || url.pathname !== '/embed-widget/advanced-chart/') throw new Error(`Not the widget's frame: ${source}`)
  return JSON.parse(decodeURIComponent(url.hash.slice(1))) as Record<string, unknown>
}

/** The frames that currently run the widget. */
export function widgetFrames(page: Page): Frame[] {
  return page.frames().filter((frame) => isOfWidget(frame.url()))
}
