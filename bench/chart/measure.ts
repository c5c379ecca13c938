// Measures one fresh page: first paint, ticks, panning, zooming and memory, in CPU time of its main thread.
import type { Browser } from 'playwright-core'
import { openPage, worstTurn, type OpenedPage, type Screen } from './open-pages.ts'
import type { BenchPage, PeerName } from './page.ts'
import { barSpaceMinPx } from './peer.ts'

export interface Cell {
  readonly peer: PeerName
  /** Total candles. */
  readonly bars: number
  /** Candles passed to the chart: fewer if only the newest are loaded, as when the Tezi chart is opened. */
  readonly given: number
  readonly charts: number
  /** Trend lines over the newest bars. */
  readonly drawings: number
  /** EMA, RSI and MACD are on. */
  readonly isStudied: boolean
  readonly screen: Screen
}

/** CPU milliseconds, or wall time where named so; per step with its drawing, the minimum of several rounds. NaN if not measured. */
export interface Measured {
  readonly paintWall: number
  readonly paint: number
  readonly tick: number
  /** Ten ticks between two frames. */
  readonly burst: number
  readonly pan: number
  /** The same while all bars are in view. */
  readonly panAll: number
  readonly zoom: number
  /** The longest main thread task while panning by two thirds of a screen per frame, far enough to change windows. */
  readonly worst: number
  /** Megabytes after garbage collection, without the page's own candles. */
  readonly heapMb: number
  readonly bufferMb: number
  /** Maximum visible bars for `panAll`. */
  readonly visible: number
}

const rounds = 3
const steps = { most: 20, least: 4, budgetMs: 300 } as const
const tickBurst = 10
const panBars = 2
/** With all of them visible, a step of about a pixel. */
const panAllPart = 0.001
/** Size at which bursts and jumps are measured too. */
const middleBars = 100_000
/** Across more than one window, most of it in one jump. */
const jump = { start: 4_000, bars: 100, count: 40 } as const
/** 150 bars on the desktop page; on the phone as many as fit with the same width. */
const barSpacePx = 8
const settleMs = 300

declare const bench: BenchPage

export async function measureCell(browser: Browser, cell: Cell): Promise<Measured> {
  const opened = await openPage(browser, cell.screen)
  const { page, cdp } = opened
  try {
    await page.evaluate(({ peer, bars }) => bench.prepare(peer, bars), cell)
    const empty = await memoryOf(opened)
    let paintWall = Number.NaN
    const paint = await cpuOf(opened, async () => {
      paintWall = await page.evaluate(({ charts, given }) => bench.draw(charts, given), cell)
    })
    await page.waitForTimeout(settleMs)
    await cdp.send('HeapProfiler.collectGarbage')
    const full = await memoryOf(opened)
    const memory = { heapMb: full.heapMb - empty.heapMb, bufferMb: full.bufferMb - empty.bufferMb }
    return { paintWall, paint, ...memory, ...(await measureMoves(opened, cell)) }
  } finally {
    await opened.close()
  }
}

type Moves = Omit<Measured, 'paintWall' | 'paint' | 'heapMb' | 'bufferMb'>

async function measureMoves(opened: OpenedPage, { charts, bars, given, screen, drawings, isStudied }: Cell): Promise<Moves> {
  const { page } = opened
  if (drawings > 0) await page.evaluate((count) => bench.addDrawings(count), drawings)
  if (isStudied) await page.evaluate(() => bench.addStudies())
  await page.evaluate((px) => bench.setBarSpace(px), barSpacePx)
  const none = { burst: Number.NaN, pan: Number.NaN, panAll: Number.NaN, zoom: Number.NaN, worst: Number.NaN, visible: Number.NaN }
  const tick = await leastPerStep(opened, (count) => page.evaluate((count) => bench.ticks(count), count))
  if (charts > 1 || given < bars || isStudied) return { ...none, tick }
  const inBursts = (count: number) => page.evaluate(({ count, tickBurst }) => bench.ticks(count, tickBurst), { count, tickBurst })
  const burst = bars === middleBars ? await leastPerStep(opened, inBursts) : Number.NaN
  const panOf = (panBars: number) => (count: number) => page.evaluate(({ count, panBars }) => bench.pan(count, panBars), { count, panBars })
  const pan = await leastPerStep(opened, panOf(panBars))
  if (screen.throttle !== 1 || drawings > 0) return { ...none, tick, burst, pan }
  const space: [number, number] = [barSpacePx, barSpaceMinPx]
  const zoom = await leastPerStep(opened, (count) => page.evaluate(({ count, space }) => bench.zoom(count, space), { count, space }))
  await page.evaluate((px) => bench.setBarSpace(px), barSpacePx)
  if (bars !== middleBars) return { ...none, tick, burst, pan, zoom }
  const worst = await worstJump(opened)
  const visible = await page.evaluate(() => bench.showAll())
  const panAll = await leastPerStep(opened, panOf(Math.round(bars * panAllPart)))
  return { tick, burst, pan, panAll, zoom, visible, worst }
}

/** Minimum of several rounds, because noise only adds time. Slow charts get fewer steps, to limit the run. */
async function leastPerStep(opened: OpenedPage, run: (count: number) => Promise<void>): Promise<number> {
  await opened.page.evaluate(() => bench.watch())
  const trial = (await cpuOf(opened, () => run(steps.least))) / steps.least
  const drawn = await opened.page.evaluate(() => bench.pictures())
  // The first step may be drawn together with the second.
  if (drawn < steps.least - 1) throw new Error(`Of ${steps.least} steps only ${drawn} were drawn`)
  const count = Math.round(Math.min(steps.most, Math.max(steps.least, steps.budgetMs / trial)) / 2) * 2
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round += 1) least = Math.min(least, (await cpuOf(opened, () => run(count))) / count)
  return least
}

/** The longest main thread task, in CPU time: a frame is one task. */
async function worstJump(opened: OpenedPage): Promise<number> {
  const jumps = () => opened.page.evaluate(({ count, bars }) => bench.pan(count, bars), jump)
  await opened.page.evaluate((bars) => bench.pan(1, bars), jump.start)
  return worstTurn(opened, jumps)
}

async function cpuOf(opened: OpenedPage, run: () => Promise<unknown>): Promise<number> {
  const before = await threadMs(opened)
  await run()
  return (await threadMs(opened)) - before
}

async function threadMs({ cdp }: OpenedPage): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  const found = metrics.find(({ name }) => name === 'ThreadTime')
  if (found === undefined) throw new Error('The browser does not tell the CPU time of its main thread')
  return found.value * 1000
}

async function memoryOf({ cdp }: OpenedPage): Promise<{ heapMb: number; bufferMb: number }> {
  await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize, backingStorageSize } = (await cdp.send('Runtime.getHeapUsage')) as { usedSize: number; backingStorageSize?: number }
  return { heapMb: usedSize / 1e6, bufferMb: (backingStorageSize ?? 0) / 1e6 }
}
