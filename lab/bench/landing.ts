// Landing page and sign-in on a phone: largest paint, blocking and layout shift, cold, on 1.6 Mbit/s, 150 ms and a CPU four times slower.
// Usage: node lab/bench/landing.ts [rounds] [folder for pictures]   (default 5, the median counts; needs a built page)
import { join } from 'node:path'
import { chromium, type BrowserContextOptions, type Page } from 'playwright-core'
import { startServer } from '../../e2e/harness/server-process.ts'
import { browserFlags } from '../../scripts/browser-flags.ts'
import { findChromium } from '../../scripts/ensure-chromium.ts'

const rounds = Number(process.argv[2] ?? 5)
const folder = process.argv[3]
const slowNetwork = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }
const desktop: BrowserContextOptions = { viewport: { width: 1440, height: 900 } }

interface Vitals {
  paint: number
  largest: number
  largestIs: string
  shift: number
  blocking: number
}

const server = await startServer({ RATE_LIMITS: 'off' })
const browser = await chromium.launch({ executablePath: findChromium() ?? 'chromium', args: browserFlags })
for (const path of ['/', '/login']) {
  const runs: (Vitals & { script: number; bytes: number })[] = []
  for (let round = 0; round < rounds; round += 1) runs.push(await measure(path))
  const median = (read: (run: (typeof runs)[number]) => number) => runs.map(read).toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
  console.log(path)
  console.table({
    'first paint, ms': Math.round(median(({ paint }) => paint)),
    'largest paint, ms': Math.round(median(({ largest }) => largest)),
    'blocking, ms': Math.round(median(({ blocking }) => blocking)),
    'layout shift': Number(median(({ shift }) => shift).toFixed(4)),
    'script before the first input, bytes on the wire': median(({ script }) => script),
    'all bytes on the wire': median(({ bytes }) => bytes),
    'largest is': runs[0]?.largestIs ?? '',
  })
}
if (folder !== undefined) await takePictures(folder)
await browser.close()
await server.stop()

async function measure(path: string): Promise<Vitals & { script: number; bytes: number }> {
  const context = await browser.newContext(phone)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  const sizes = new Map<string, { type: string; bytes: number }>()
  await cdp.send('Network.enable')
  cdp.on('Network.responseReceived', ({ requestId, type }) => sizes.set(requestId, { type, bytes: 0 }))
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const known = sizes.get(requestId)
    if (known !== undefined) known.bytes = encodedDataLength
  })
  await cdp.send('Network.emulateNetworkConditions', slowNetwork)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.addInitScript(watchVitals)
  await page.goto(server.origin + path, { waitUntil: 'load' })
  await page.waitForTimeout(3000)
  const vitals = await page.evaluate(() => (globalThis as unknown as { vitals: Vitals }).vitals)
  const sum = (isCounted: (type: string) => boolean) =>
    [...sizes.values()].reduce((total, { type, bytes }) => total + (isCounted(type) ? bytes : 0), 0)
  await context.close()
  return { ...vitals, script: sum((type) => type === 'Script'), bytes: sum(() => true) }
}

function watchVitals(): void {
  const vitals = { paint: 0, largest: 0, largestIs: '', shift: 0, blocking: 0 }
  Object.assign(globalThis, { vitals })
  const watch = (type: string, read: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) read(entry)
    }).observe({ type, buffered: true })
  watch('paint', ({ startTime }) => (vitals.paint ||= startTime))
  watch('largest-contentful-paint', (entry) => {
    vitals.largest = entry.startTime
    const { element } = entry as PerformanceEntry & { element?: Element }
    vitals.largestIs = `${element?.tagName ?? ''} ${element?.textContent?.slice(0, 40) ?? ''}`
  })
  watch('layout-shift', (entry) => (vitals.shift += (entry as PerformanceEntry & { value: number }).value))
  watch('longtask', ({ duration }) => (vitals.blocking += duration - 50))
}

/** Whole pages, with and without script. */
async function takePictures(target: string): Promise<void> {
  for (const [size, options] of Object.entries({ desktop, phone })) {
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({ ...options, deviceScaleFactor: 1, javaScriptEnabled })
      for (const path of ['/', '/login', '/login?mode=sign-up']) {
        const page = await context.newPage()
        await page.goto(server.origin + path, { waitUntil: 'load' })
        await showAll(page)
        const name = `${path.replaceAll(/\W/g, '') || 'landing'}-${size}${javaScriptEnabled ? '' : '-no-script'}`
        await page.screenshot({ path: join(target, `${name}.png`), fullPage: true })
      }
      await context.close()
    }
  }
}

/** Lazy pictures load when they come near the view. */
async function showAll(page: Page): Promise<void> {
  const { height } = page.viewportSize() ?? desktop.viewport ?? { height: 900 }
  for (let y = 0; y < 8; y += 1) await page.mouse.wheel(0, height)
  await page.waitForTimeout(500)
  await page.mouse.wheel(0, -20 * height)
  await page.waitForTimeout(200)
}
