// The page side of the benchmark: creates candles and charts, and moves them step by step.
import type { CandleRow } from '#shared/market-data/live/contract.ts'
import { seededCandles } from './candles.ts'
import { firstPaintMs, spyOnCandles, type CandleSpy } from './first-paint.ts'
import type { Mount, MountedChart, TrendLine } from './peer.ts'

const mounts = {
  tezi: async (): Promise<Mount> => (await import('./tezi.ts')).mount,
  lwc: async (): Promise<Mount> => (await import('./plain-lwc.ts')).mount,
  kline: async (): Promise<Mount> => (await import('./kline.ts')).mount,
  floor: async (): Promise<Mount> => (await import('./floor.ts')).mount,
}

export type PeerName = keyof typeof mounts

let mount: Mount | undefined
let rows: CandleRow[] = []
const charts: MountedChart[] = []
let ticksMade = 0
/** Later candles, for new bars. */
let coming: CandleRow[] = []
let spy: CandleSpy | undefined
let pictures = 0

const page = {
  /** Loads the library and creates the candles: neither is part of the first paint. */
  async prepare(peer: PeerName, count: number): Promise<void> {
    mount = await mounts[peer]()
    const made = seededCandles(count + comingBars)
    coming = made.splice(-comingBars)
    rows = made
  },
  /** Draws charts side by side on the newest `given` candles; resolves to the milliseconds of the first one's paint. */
  draw(chartCount: number, given: number): Promise<number> {
    const across = Math.ceil(Math.sqrt(chartCount))
    document.body.style.gridTemplate = `repeat(${Math.ceil(chartCount / across)}, minmax(0, 1fr)) / repeat(${across}, minmax(0, 1fr))`
    const hosts = Array.from({ length: chartCount }, () => document.body.appendChild(document.createElement('div')))
    const shown = given < rows.length ? rows.slice(-given) : rows
    return firstPaintMs(() => {
      for (const host of hosts) if (mount !== undefined) charts.push(mount(host, shown))
    })
  },
  /** Ticks on every chart. */
  ticks: (steps: number, perStep = 1) =>
    each(steps, { framesPerStep: framesPerPicture(), leastRects: tickRects }, (chart) => {
      for (let at = 0; at < perStep; at += 1) chart.tick(nextTick())
    }),
  /** Ticks that extend the price scale. */
  scaleTicks: (steps: number) => eachRow(steps, higherTick),
  newBars: (steps: number) => eachRow(steps, nextBar),
  pan: (steps: number, bars: number) => each(steps, { framesPerStep: framesPerPicture() }, (chart) => chart.pan(bars)),
  /** From 150 bars to the maximum, and back. */
  zoom(steps: number, [fromPx, toPx]: readonly [number, number]): Promise<void> {
    let at = 0
    return each(steps, { framesPerStep: framesPerPicture() }, (chart) => {
      at += 1
      const part = 1 - Math.abs(1 - (2 * at) / steps)
      chart.setBarSpace(fromPx * (toPx / fromPx) ** part)
    })
  },
  setBarSpace: (px: number) => each(1, { framesPerStep: loneFrames }, (chart) => chart.setBarSpace(px)),
  /** Starts counting drawn frames. */
  watch(): void {
    spy = spyOnCandles()
    pictures = 0
  },
  /** Stops counting; returns the number of drawn steps. */
  pictures(): number {
    spy?.stop()
    spy = undefined
    return pictures
  },
  /** Zooms out until all candles are visible; resolves to their number. */
  async showAll(): Promise<number> {
    for (const chart of charts) {
      for (let at = 0; at < zoomsMost && !chart.showMore(rows.length); at += 1) await frames(loneFrames)
    }
    await frames(2 * loneFrames)
    return charts[0]?.visible() ?? 0
  },
  async addStudies(): Promise<void> {
    for (const chart of charts) await chart.addStudies()
    await frames(4 * loneFrames)
  },
  /** Trend lines from bar to bar over the newest ones. */
  async addDrawings(count: number): Promise<void> {
    const ends = Array.from({ length: count }, (_, at): TrendLine => {
      const [from, to] = [rows.at(-drawnBars + at), rows.at(-drawnBars + at + 40)]
      if (from === undefined || to === undefined) throw new Error('There are too few candles for the drawings')
      return { from: { timeMs: from[0], price: from[4] }, to: { timeMs: to[0], price: to[4] } }
    })
    for (const chart of charts) chart.addLines(ends)
    await frames(2 * loneFrames)
  },
}

export type BenchPage = typeof page

/** The same row for every chart, one per step. */
function eachRow(steps: number, next: () => CandleRow): Promise<void> {
  let row: CandleRow | undefined
  return each(steps, { framesPerStep: framesPerPicture(), leastRects: tickRects }, (chart) => {
    if (chart === charts[0] || row === undefined) row = next()
    chart.tick(row)
  })
}

/** Above everything visible, and higher with each call. */
function higherTick(): CandleRow {
  const [timeMs, open, high, low, , volume, buyers] = newest()
  const higher = Math.max(high, ...rows.slice(-visibleMost).map((row) => row[2])) + scaleStep
  const row: CandleRow = [timeMs, open, higher, low, higher, volume, buyers]
  rows[rows.length - 1] = row
  return row
}

function nextBar(): CandleRow {
  const row = coming.shift()
  if (row === undefined) throw new Error('There are no more candles for new bars')
  rows.push(row)
  return row
}

function newest(): CandleRow {
  const last = rows.at(-1)
  if (last === undefined) throw new Error('There are no candles')
  return last
}

function nextTick(): CandleRow {
  const [timeMs, open, high, low, , volume, buyers] = newest()
  ticksMade += 1
  return [timeMs, open, high, low, low + ((high - low) * (ticksMade % 17)) / 16, volume, buyers]
}

/** The lines start within this number of newest candles, so that most are visible during some of the panning. */
const drawnBars = 600

const zoomsMost = 200

/** Enough for all rounds of one page. */
const comingBars = 100

const [visibleMost, scaleStep] = [1_000, 20]

/** Frames until a single change is drawn, by any chart. */
const loneFrames = 2

interface Steps {
  readonly framesPerStep: number
  /** Rectangles that count as a drawn frame. */
  readonly leastRects?: number
}

/** A tick may be drawn as a single changed candle: its wick above and below, and its body. */
const tickRects = 3

/** Runs the steps on every chart, each drawn before the next one. */
async function each(steps: number, { framesPerStep, leastRects }: Steps, step: (chart: MountedChart) => void): Promise<void> {
  for (let at = 0; at < steps; at += 1) {
    for (const chart of charts) step(chart)
    await frames(framesPerStep)
    if (spy?.hasDrawn(leastRects) === true) pictures += 1
  }
  await nextFrame()
}

const framesPerPicture = () => charts[0]?.framesPerPicture ?? loneFrames

async function frames(count: number): Promise<void> {
  for (let frame = 0; frame < count; frame += 1) await nextFrame()
}

const nextFrame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()))

Object.assign(window, { bench: page })
