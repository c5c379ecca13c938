// The way to the chart of a signed-in user, beside a page with nothing but lightweight-charts on the same API: on 4G and a slow
// phone, cold and cached, with requests and bytes; then, not throttled, changes of timeframe and the idle page.
// Usage: node lab/bench/pages.ts [rounds]   (default 5; needs a built page)
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext, type CDPSession } from 'playwright-core'
import { startServer } from '../../e2e/harness/server-process.ts'
import { browserFlags } from '../../scripts/browser-flags.ts'
import { findChromium } from '../../scripts/ensure-chromium.ts'
import { signUp, type Pair } from './pages/account.ts'
import { servePlainPage } from './pages/plain-page.ts'
import { spy } from './pages/spy.ts'
import { measureSwitches, type Switches } from './pages/switches.ts'

const rounds = Number(process.argv[2] ?? 5)
/** The usual profile of Lighthouse: slow 4G and a phone of the middle class. */
const network = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const cpuFactor = 4
const timeoutMs = 60_000

interface Visit {
  candlesMs: number
  tickMs: number
  requests: number
  bytes: number
  socketBytes: number
}

interface Round {
  readonly cold: Visit
  readonly cached: Visit
  readonly switched: Switches
}

const plain = await servePlainPage()
const server = await startServer({ RATE_LIMITS: 'off', CHART_FIRST: 'tezi', PASSWORD_HASHES: 'cheap' })
const pages = { plain: plain.path, ours: '/' } as const
const visits: Record<string, Visit[]> = {}
const switches: Record<string, Switches[]> = {}
try {
  const account = await signUp(server.origin)
  // A server that has just started reads candles for the first time.
  await measureRound('plain', account)
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ['plain', 'ours'] as const) {
      const { cold, cached, switched } = await measureRound(name, account)
      ;(visits[`${name}, cold`] ??= []).push(cold)
      ;(visits[`${name}, cached`] ??= []).push(cached)
      ;(switches[name] ??= []).push(switched)
    }
  }
} finally {
  await server.stop()
  await plain.remove()
}
report()

/** Three visits of one new browser: cold, one that fills the caches of compiled code, cached. */
async function measureRound(name: keyof typeof pages, account: Pair): Promise<Round> {
  const folder = await mkdtemp(join(tmpdir(), 'tezi-bench-pages-'))
  const browser = await chromium.launchPersistentContext(folder, {
    executablePath: findChromium() ?? 'chromium',
    args: browserFlags,
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
  })
  try {
    await browser.addInitScript(spy)
    await browser.addInitScript((token) => {
      localStorage.setItem('sessionToken', token)
      // Prices of the measured server are generated, and Automatic prefers substitutes of the provider to them.
      localStorage.setItem('chart.engine', 'tezi')
    }, account.token)
    await browser.addCookies([{ name: 'tezi_session', value: account.cookie, url: server.origin, httpOnly: true, sameSite: 'Lax' }])
    const cold = await visit(browser, pages[name])
    await visit(browser, pages[name])
    const cached = await visit(browser, pages[name])
    return { cold, cached, switched: await measureSwitches(browser, server.origin + pages[name]) }
  } finally {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function visit(browser: BrowserContext, path: string): Promise<Visit> {
  const page = await browser.newPage()
  const cdp = await browser.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', network)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpuFactor })
  const traffic = countTraffic(cdp)
  await page.goto(server.origin + path, { waitUntil: 'commit' })
  await page.waitForFunction(() => window.marks.candlesMs !== undefined, undefined, { timeout: timeoutMs, polling: 50 })
  const { requests, bytes } = { ...traffic }
  await page.waitForFunction(() => window.marks.tickMs !== undefined, undefined, { timeout: timeoutMs, polling: 50 })
  const marks = await page.evaluate(() => ({ ...window.marks, onFrame: undefined }))
  await page.close()
  return {
    candlesMs: Math.round(marks.candlesMs ?? Number.NaN),
    tickMs: Math.round(marks.tickMs ?? Number.NaN),
    requests,
    bytes,
    socketBytes: marks.socketBytes,
  }
}

/** Requests that reached the network, and their bytes with headers. */
function countTraffic(cdp: CDPSession): { requests: number; bytes: number } {
  const traffic = { requests: 0, bytes: 0 }
  const cached = new Set<string>()
  cdp.on('Network.requestServedFromCache', ({ requestId }) => cached.add(requestId))
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache === true) cached.add(requestId)
  })
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (cached.has(requestId)) return
    traffic.requests += 1
    traffic.bytes += encodedDataLength
  })
  return traffic
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

function report(): void {
  const rows = Object.entries(visits).map(([name, list]) => {
    const of = (key: keyof Visit) => median(list.map((one) => one[key]))
    return [
      name,
      {
        'candles, ms': of('candlesMs'),
        'first tick, ms': of('tickMs'),
        requests: of('requests'),
        'kB with headers': Math.round(of('bytes') / 100) / 10,
        'socket, kB': Math.round(of('socketBytes') / 100) / 10,
      },
    ]
  })
  console.table(Object.fromEntries(rows))
  console.table(
    Object.fromEntries(
      Object.entries(switches).map(([name, list]) => [
        name,
        {
          'switch, ms': Math.round(median(list.flatMap(({ switchMs }) => switchMs))),
          'without a pointer, ms': Math.round(median(list.flatMap(({ atOnceMs }) => atOnceMs))),
          'idle, ms/s': Math.round(median(list.map(({ idleMs }) => idleMs)) * 10) / 10,
          'idle, frames/s': Math.round(median(list.map(({ framesPerSecond }) => framesPerSecond)) * 10) / 10,
        },
      ]),
    ),
  )
  for (const kind of ['cold', 'cached']) {
    const ratios = (visits[`ours, ${kind}`] ?? []).map((ours, at) => ours.tickMs / (visits[`plain, ${kind}`]?.[at]?.tickMs ?? Number.NaN))
    console.log(`${kind}: first tick, ours / plain, ratios of the rounds: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`)
  }
}
