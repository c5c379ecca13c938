// Time to candles while all packets to TradingView are dropped: from arrival on the chart page, and from a change of instrument.
// Usage: node lab/bench/offline.ts [rounds]   (default 5; the first one uses a server that has just started; needs a built page; Linux)
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { silentHost } from '../../e2e/harness/silent-host.ts'
import { browserFlags } from '../../scripts/browser-flags.ts'
import { findChromium } from '../../scripts/ensure-chromium.ts'
import { addSession, signInContext } from '../premium-session.ts'
import { startServer } from '../server-process.ts'

const rounds = Number(process.argv[2] ?? 5)
const goalsMs = { first: 2_500, following: 1_000 }
const [first, ...following] = ['EUR/USD', 'GBP/USD', 'USD/JPY', 'EUR/JPY', 'AUD/USD', 'CAD/JPY'] as const

const dataDir = await mkdtemp(path.join(tmpdir(), 'tezi-offline-'))
const silent = await silentHost()
const server = await startServer(dataDir)
const browser = await chromium.launch({
  executablePath: findChromium() ?? 'chromium',
  args: [
    ...browserFlags,
    `--host-resolver-rules=MAP www.tradingview-widget.com ${silent.address}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
    '--ignore-certificate-errors',
  ],
})
try {
  const table: Record<string, number>[] = []
  for (let round = 0; round < rounds; round += 1) table.push(await measure())
  console.log('Milliseconds to candles')
  console.table(table)
  const arrivals = table.map((row) => row[first] ?? NaN)
  const changes = table.flatMap((row) => following.map((name) => row[name] ?? NaN))
  console.log(`first visit: ${summary(arrivals)}, goal ${goalsMs.first}`)
  console.log(`change of instrument: ${summary(changes)}, goal ${goalsMs.following}`)
} finally {
  await browser.close()
  await server.end('SIGTERM')
  silent.close()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 })
}

/** A first visit by a new user, then instruments from the menu. */
async function measure(): Promise<Record<string, number>> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await signInContext(context, await addSession(dataDir, 'premium'), server.address)
  const page = await context.newPage()
  // The clock of the page starts with the navigation.
  await page.goto(`${server.address}/eur-usd`, { waitUntil: 'commit' })
  const row: Record<string, number> = { [first]: Math.round(await timeOfCandles(page, first)) }
  for (const name of following) {
    const link = page.getByRole('navigation', { name: 'Instruments' }).getByRole('link', { name, exact: true })
    const clickedMs = await link.evaluate((element: HTMLElement) => {
      element.click()
      return performance.now()
    })
    row[name] = Math.round((await timeOfCandles(page, name)) - clickedMs)
  }
  await context.close()
  return row
}

/** When the frame with the candles of an instrument was painted, on the clock of the page. */
function timeOfCandles(page: Page, name: string): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = (): void => {
          const heading = document.querySelector('h1')?.textContent ?? ''
          const legend = document.querySelector('[data-testid=chart-legend]')?.textContent ?? ''
          // The paint of this frame is over when the next one begins.
          if (heading.includes(wanted) && /O\s?\d/.test(legend)) requestAnimationFrame(() => resolve(performance.now()))
          else requestAnimationFrame(look)
        }
        look()
      }),
    name,
  )
}

function summary(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other)
  return `median ${sorted[Math.floor(sorted.length / 2)]}, longest ${sorted.at(-1)}`
}
