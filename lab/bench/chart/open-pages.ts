// Builds the benchmark page and opens it in one headless Chromium, in a fresh page per measurement.
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core'
import { build } from 'vite'
import { browserFlags } from '../../../scripts/browser-flags.ts'
import { ensureChromium } from '../../../scripts/ensure-chromium.ts'

const origin = 'http://bench.test'
const types: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' }
const outDir = resolve(import.meta.dirname, '../../../.cache/bench-chart')
const spy = resolve(import.meta.dirname, 'lwc-spy.ts')

export interface Screen {
  readonly width: number
  readonly height: number
  readonly pixelRatio: number
  /** CPU throttling factor. */
  readonly throttle: number
}

export interface OpenedPage {
  readonly page: Page
  readonly cdp: CDPSession
  close(): Promise<void>
}

export async function buildPage(): Promise<void> {
  await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true, target: 'esnext', modulePreload: false, chunkSizeWarningLimit: 2000 },
    plugins: [
      {
        name: 'chart-spy',
        enforce: 'pre',
        resolveId: (source, importer) => (source === 'lightweight-charts' && importer !== spy ? spy : null),
      },
    ],
  })
}

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: ensureChromium(),
    headless: true,
    args: [
      ...browserFlags,
      // Frames follow each other without waiting for vsync.
      '--disable-frame-rate-limit',
      '--disable-gpu-vsync',
    ],
  })
}

/** A page in its own context, and so in its own process, with nothing compiled yet. */
export async function openPage(browser: Browser, screen: Screen): Promise<OpenedPage> {
  const { width, height, pixelRatio, throttle } = screen
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: pixelRatio, timezoneId: 'Asia/Kolkata' })
  await context.route(`${origin}/**`, async (route) => {
    const name = new URL(route.request().url()).pathname
    const file = name === '/' ? 'index.html' : name
    const contentType = types[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    await route.fulfill({ contentType, body: await readFile(join(outDir, file)) })
  })
  const page = await context.newPage()
  page.on('pageerror', (error) => {
    throw error
  })
  await page.goto(`${origin}/`)
  const cdp = await context.newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  if (throttle !== 1) await cdp.send('Emulation.setCPUThrottlingRate', { rate: throttle })
  return { page, cdp, close: () => context.close() }
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** CPU time, microseconds. */
  readonly tdur?: number
}

/** The maximum CPU time, in milliseconds, of a single main thread task while something ran. */
export async function worstTurn({ page }: OpenedPage, run: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('The page has no browser to trace')
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
  await run()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: readonly TraceEvent[] }
  // Only this page's thread calls functions meanwhile.
  const caller = traceEvents.find(({ name }) => name === 'FunctionCall')
  const isOurs = ({ pid, tid }: TraceEvent) => pid === caller?.pid && tid === caller.tid
  const turns = traceEvents.filter((event) => isOurs(event) && event.name.endsWith('RunTask')).map(({ tdur = 0 }) => tdur / 1000)
  if (turns.length < 2) throw new Error('The trace holds no turns of the main thread')
  return Math.max(...turns)
}
