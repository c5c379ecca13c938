// The Tezi chart compared with the bare chart library, klinecharts and a bare canvas: same candles, one browser, one run; then the targets.
// Usage: node lab/bench/chart.ts [pages of each] [sizes ...]      (default 3; 10000 100000 1000000)
//        node lab/bench/chart.ts quick [pages of each]             (one page of each at 100000, for work on the chart; some two minutes)
import { loadavg } from 'node:os'
import { measureCell, type Cell, type Measured } from './chart/measure.ts'
import { buildPage, launch, type Screen } from './chart/open-pages.ts'
import type { PeerName } from './chart/page.ts'
import { cellName, printCells, printTargets } from './chart/targets.ts'
import { drawingsMax } from '#shared/drawings/drawing.ts'
import { snapshotMax } from '#shared/market-data/live/contract.ts'

const isQuick = process.argv[2] === 'quick'
const [pagesAsked, ...sizesAsked] = process.argv.slice(isQuick ? 3 : 2).map(Number)
const pages = pagesAsked ?? (isQuick ? 1 : 3)
/** Sizes of measurements that use a single size. */
const [nineBars, phoneBars, floorBars] = [10_000, 10_000, 100_000]
const usual = isQuick ? [floorBars] : [10_000, floorBars, 1_000_000]
const sizes = sizesAsked.length > 0 ? sizesAsked : usual
/** The product's maximum. */
const drawings = drawingsMax

const desktop: Screen = { width: 1280, height: 720, pixelRatio: 1, throttle: 1 }
const phone: Screen = { width: 412, height: 760, pixelRatio: 2.6, throttle: 4 }
const peers: readonly PeerName[] = ['tezi', 'lwc', 'kline']

function cellOf(peer: PeerName, bars: number, more: Partial<Cell> = {}): Cell {
  return { peer, bars, given: bars, charts: 1, drawings: 0, isStudied: false, screen: desktop, ...more }
}

const cells = new Map<string, Cell>()
for (const bars of sizes) {
  for (const peer of peers) cells.set(cellName(peer, bars), cellOf(peer, bars))
  if (bars === floorBars) cells.set(cellName('floor', bars), cellOf('floor', bars))
  if (bars < floorBars) continue
  // As a user opens it: the newest candles first, and older ones only when panning.
  cells.set(cellName('opened', bars), cellOf('tezi', bars, { given: snapshotMax }))
}
for (const peer of peers) cells.set(cellName(peer, nineBars, 'nine'), cellOf(peer, nineBars, { charts: 9 }))
// As opened: with the candles of a snapshot.
for (const peer of peers) cells.set(cellName(peer, snapshotMax, 'nine'), cellOf(peer, snapshotMax, { charts: 9 }))
for (const peer of peers) cells.set(cellName(peer, floorBars, 'studied'), cellOf(peer, floorBars, { isStudied: true }))
for (const peer of peers) cells.set(cellName(peer, phoneBars, 'phone'), cellOf(peer, phoneBars, { screen: phone }))
cells.set(cellName('opened', phoneBars, 'phone'), cellOf('tezi', phoneBars, { given: snapshotMax, screen: phone }))

for (const peer of ['tezi', 'kline'] as const) cells.set(cellName(peer, nineBars, 'drawn'), cellOf(peer, nineBars, { drawings }))

const startMs = Date.now()
const loadBefore = loadavg()
await buildPage()
const browser = await launch()
const results = new Map<string, Measured[]>([...cells.keys()].map((name) => [name, []]))
for (let at = 1; at <= pages; at += 1) {
  for (const [name, cell] of cells) results.get(name)?.push(await measureCell(browser, cell))
  const loads = [loadBefore, loadavg()].map(([minute = 0]) => minute.toFixed(1))
  console.log(`${at} of ${pages} pages of each after ${Math.round((Date.now() - startMs) / 1000)} s; load average ${loads.join(' to ')}`)
  console.log('Medians; CPU milliseconds of the main thread, wall milliseconds for paintWall, megabytes for heapMb and bufferMb')
  printCells(results)
  printTargets(results)
}
await browser.close()
