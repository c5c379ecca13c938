// Change of timeframe on an open chart, and what the page costs while nothing happens: ours and the plain page, not throttled.
import type { BrowserContext, Page } from 'playwright-core'

export interface Switches {
  /** Milliseconds from the press to the first frame with the candles of the other timeframe. */
  readonly switchMs: readonly number[]
  /** The same without a pointer over the button before. */
  readonly atOnceMs: readonly number[]
  /** Of the idle page: processor milliseconds of its main thread, and frames with drawing, in a second. */
  readonly idleMs: number
  readonly framesPerSecond: number
}

const timeframes = ['5', '15', '3', '30', '1']
const idleSeconds = 10
const pauseMs = 500
/** A hand takes longer from reaching a button to pressing it. */
const restMs = 150

export async function measureSwitches(browser: BrowserContext, url: string): Promise<Switches> {
  const page = await browser.newPage()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(url)
  await page.waitForFunction(() => window.marks.tickMs !== undefined)
  const isPlain = await page.evaluate(() => window.plain !== undefined)
  if (!isPlain) await page.getByTestId('chart-legend').waitFor()
  // The first round fills the server's memory.
  for (const code of timeframes) await switchTo(page, code, false)
  const atOnceMs: number[] = []
  for (const code of timeframes) atOnceMs.push(await switchTo(page, code, false))
  const switchMs: number[] = []
  for (const code of timeframes) switchMs.push(await switchTo(page, code, !isPlain))
  const idle = await measureIdle(page)
  await page.close()
  return { switchMs, atOnceMs, ...idle }
}

/** From the press of the button, where the page has one; a pointer rests on it first. */
async function switchTo(page: Page, code: string, hasPointer: boolean): Promise<number> {
  await page.waitForTimeout(pauseMs)
  const button = page.locator(`input[name=timeframe][value="${code}"]`)
  if (hasPointer) {
    await button.hover()
    await page.waitForTimeout(restMs)
  }
  await page.evaluate(watchSwitch)
  if (hasPointer) await button.click()
  else
    await page.evaluate((timeframe) => {
      window.marks.pressedMs = performance.now()
      if (window.plain === undefined) document.querySelector<HTMLInputElement>(`input[name=timeframe][value="${timeframe}"]`)?.click()
      else window.plain.show('nifty', timeframe)
    }, code)
  await page.waitForFunction(() => window.marks.switchedMs !== undefined)
  return page.evaluate(() => (window.marks.switchedMs ?? Number.NaN) - (window.marks.pressedMs ?? Number.NaN))
}

/** Runs in the page. Ours names the other timeframe, and shows no candles of the one before from then on; the plain one draws the next snapshot. */
function watchSwitch(): void {
  const { marks } = window
  const chart = () => document.querySelector('[data-testid=chart-canvas]')?.getAttribute('aria-label')
  const isCovered = () => document.querySelector('[data-testid=chart-loading]') !== null
  const before = chart()
  let isSwitched = false
  delete marks.switchedMs
  marks.onSnapshot = () => (isSwitched ||= window.plain !== undefined)
  marks.onFrame = (rects) => {
    isSwitched ||= chart() !== before
    if (rects < 30 || !isSwitched || isCovered()) return
    delete marks.onFrame
    delete marks.onSnapshot
    marks.switchedMs = performance.now()
  }
  addEventListener('pointerdown', () => (marks.pressedMs = performance.now()), { capture: true, once: true })
}

async function measureIdle(page: Page): Promise<Pick<Switches, 'idleMs' | 'framesPerSecond'>> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.mouse.move(5, 5)
  await page.waitForTimeout(1000)
  const read = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    const busy = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
    return { busy, frames: await page.evaluate(() => window.marks.frames) }
  }
  const before = await read()
  await page.waitForTimeout(idleSeconds * 1000)
  const after = await read()
  return {
    idleMs: ((after.busy - before.busy) * 1000) / idleSeconds,
    framesPerSecond: (after.frames - before.frames) / idleSeconds,
  }
}
