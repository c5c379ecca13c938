// Opens every chart address on a production start without any key, and lists engine, labels, cards and candles of each.
// Writes a picture of each into a folder. Needs a built page. TradingView is a stand-in, or its name is not found.
// Usage: node lab/chart-routes.ts FOLDER reachable|unreachable [address ...]
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { chartPaths } from '#shared/instruments/instruments.ts'
import type { ServerMessage } from '#shared/market-data/live/contract.ts'
import { fakeWidget } from '../e2e/harness/fake-widget.ts'
import { browserFlags } from '../scripts/browser-flags.ts'
import { ensureChromium } from '../scripts/ensure-chromium.ts'
import { addSession, signInContext } from './premium-session.ts'
import { startServer } from './server-process.ts'

const [folder, mode, ...asked] = process.argv.slice(2)
if (folder === undefined || (mode !== 'reachable' && mode !== 'unreachable'))
  throw new Error('Usage: node lab/chart-routes.ts FOLDER reachable|unreachable [address ...]')

/** Longer than any waiting for a source or a frame. */
const settleMs = 16_000
/** Pages that are open at once. */
const atOnce = 4

interface Seen {
  readonly address: string
  readonly chart: string
  readonly labels: string
  readonly card: string
  readonly candles: number
}

await mkdir(folder, { recursive: true })
const dataDir = await mkdtemp(path.join(tmpdir(), 'tezi-routes-'))
const server = await startServer(dataDir, { environment: { NODE_ENV: 'production', RATE_LIMITS: 'on' } })
const browser = await chromium.launch({
  executablePath: ensureChromium(),
  args: [...browserFlags, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
})
try {
  const rows: Seen[] = []
  const addresses = asked.length > 0 ? asked : chartPaths
  for (let at = 0; at < addresses.length; at += atOnce)
    rows.push(...(await Promise.all(addresses.slice(at, at + atOnce).map((address) => look(browser, address, 'premium')))))
  rows.push(await look(browser, '/', 'free'))
  console.log('| Address | Chart | Labels | Card | Candles |\n| --- | --- | --- | --- | ---: |')
  for (const { address, chart, labels, card, candles } of rows) console.log(`| ${address} | ${chart} | ${labels} | ${card} | ${candles} |`)
} finally {
  await browser.close()
  await server.end('SIGTERM')
  await rm(dataDir, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
}

async function look(on: Browser, address: string, kind: 'free' | 'premium'): Promise<Seen> {
  // Each page has its own user: the workspace of a user leads back to the chart before.
  const session = await addSession(dataDir, kind)
  const context = await on.newContext({ viewport: { width: 1280, height: 720 }, timezoneId: 'Asia/Kolkata', locale: 'en-IN' })
  await signInContext(context, session, server.address)
  const widget = await fakeWidget(context, true)
  widget.mood = mode === 'reachable' ? 'ready' : 'not-found'
  const page = await context.newPage()
  const candles = countCandles(page)
  await page.goto(server.address + address)
  await isSettled(page)
  const name = kind === 'free' ? 'free' : address.slice(1) || 'nifty'
  await page.screenshot({ path: path.join(folder ?? '', `${name}.png`) })
  const seen = await page.evaluate(read)
  await context.close()
  return { address: kind === 'free' ? `${address} (free user)` : address, ...seen, candles: candles() }
}

/** Waits until labels, chart and card have been the same for three seconds. */
async function isSettled(page: Page): Promise<void> {
  const endMs = performance.now() + settleMs
  let [before, sinceMs] = ['', performance.now()]
  while (performance.now() < endMs && performance.now() - sinceMs < 3_000) {
    const now = JSON.stringify(await page.evaluate(read))
    if (now !== before || now.includes('Loading') || now.includes('CONNECTING')) sinceMs = performance.now()
    before = now
    await page.waitForTimeout(200)
  }
}

/** Runs in the page. */
function read(): Omit<Seen, 'address' | 'candles'> {
  const text = (selector: string): string => (document.querySelector<HTMLElement>(selector)?.innerText ?? '').replaceAll(/\s+/g, ' ').trim()
  const frame = document.querySelector<HTMLIFrameElement>('[data-testid=chart-frame]')
  const config = frame === null ? undefined : (JSON.parse(decodeURIComponent(new URL(frame.src).hash.slice(1))) as Record<string, string>)
  const isNative = document.querySelector('[data-testid=native-chart]') !== null
  const chart = config === undefined ? (isNative ? 'Tezi' : 'none') : `widget ${config['symbol']} ${config['interval']}`
  const loading = text('[data-testid=chart-loading]')
  const card = text('[aria-live=polite]:has(h2)')
  return { chart, labels: text('[data-testid=freshness]'), card: loading === '' ? card : loading }
}

/** Counts the candles of the chart itself: the menu asks for a few of each instrument. */
function countCandles(page: Page): () => number {
  let most = 0
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const message = JSON.parse(String(payload)) as ServerMessage
      if (message.t === 'snap') most = Math.max(most, message.candles.length)
    }),
  )
  return () => most
}
