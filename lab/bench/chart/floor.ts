// The minimal chart: candles, grid and labels on one canvas, from columns of numbers, without interaction.
import type { CandleRow } from '#shared/market-data/live/contract.ts'
import type { MountedChart } from './peer.ts'

const [axisWidthPx, axisHeightPx, marks] = [64, 24, 6]

type Columns = Readonly<Record<'timeMs' | 'open' | 'high' | 'low' | 'close', Float64Array>>

interface View {
  /** Index after the last visible bar. */
  readonly end: number
  readonly barSpacePx: number
}

export function mount(host: HTMLElement, rows: readonly CandleRow[]): MountedChart {
  const columnOf = (at: 0 | 1 | 2 | 3 | 4) => Float64Array.from(rows, (row) => row[at])
  const columns: Columns = { timeMs: columnOf(0), open: columnOf(1), high: columnOf(2), low: columnOf(3), close: columnOf(4) }
  const canvas = document.createElement('canvas')
  const [width, height] = [host.clientWidth, host.clientHeight]
  canvas.width = Math.round(width * devicePixelRatio)
  canvas.height = Math.round(height * devicePixelRatio)
  canvas.style.cssText = `width:${width}px;height:${height}px`
  host.append(canvas)
  const pen = canvas.getContext('2d') as CanvasRenderingContext2D
  pen.scale(devicePixelRatio, devicePixelRatio)
  let view: View = { end: rows.length, barSpacePx: 7 }
  let request = 0
  const ask = () => {
    if (request === 0) request = requestAnimationFrame(() => ((request = 0), paint(pen, columns, { ...view, width, height })))
  }
  ask()
  return {
    framesPerPicture: 1,
    tick([, open, high, low, close]) {
      const last = rows.length - 1
      columns.open[last] = open
      columns.high[last] = high
      columns.low[last] = low
      columns.close[last] = close
      ask()
    },
    pan: (bars) => ((view = { ...view, end: view.end - bars }), ask()),
    setBarSpace: (barSpacePx) => ((view = { ...view, barSpacePx }), ask()),
    showMore: (bars) => ((view = { ...view, barSpacePx: (width - axisWidthPx) / bars }), ask(), true),
    addLines: () => undefined,
    addStudies: () => Promise.resolve(),
    visible: () => Math.round((width - axisWidthPx) / view.barSpacePx),
  }
}

interface Plot extends View {
  readonly width: number
  readonly height: number
}

function paint(pen: CanvasRenderingContext2D, columns: Columns, plot: Plot): void {
  const { width, height, end, barSpacePx } = plot
  const [plotWidth, plotHeight] = [width - axisWidthPx, height - axisHeightPx]
  const from = Math.max(0, Math.floor(end - plotWidth / barSpacePx))
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let index = from; index < end; index += 1) {
    low = Math.min(low, columns.low[index] as number)
    high = Math.max(high, columns.high[index] as number)
  }
  const yOf = (price: number) => Math.round(((high - price) / (high - low)) * plotHeight)
  pen.fillStyle = '#0b1016'
  pen.fillRect(0, 0, width, height)
  paintGrid(pen, plot, { from, textOf: (at) => (high - ((high - low) * at) / marks).toFixed(2), timeMs: columns.timeMs })
  const body = Math.max(1, Math.floor(barSpacePx * 0.7))
  for (let index = from; index < end; index += 1) {
    const x = Math.round(plotWidth - (end - index) * barSpacePx)
    const [top, bottom] = [yOf(columns.high[index] as number), yOf(columns.low[index] as number)]
    const [open, close] = [yOf(columns.open[index] as number), yOf(columns.close[index] as number)]
    pen.fillStyle = close > open ? '#ef5f5f' : '#2fb28a'
    pen.fillRect(x + (body >> 1), top, 1, bottom - top)
    pen.fillRect(x, Math.min(open, close), body, Math.max(1, Math.abs(close - open)))
  }
}

interface Grid {
  readonly from: number
  readonly textOf: (at: number) => string
  readonly timeMs: Float64Array
}

function paintGrid(pen: CanvasRenderingContext2D, { width, height, barSpacePx }: Plot, { from, textOf, timeMs }: Grid): void {
  const [plotWidth, plotHeight] = [width - axisWidthPx, height - axisHeightPx]
  pen.strokeStyle = '#2a3038'
  pen.fillStyle = '#a7adb5'
  pen.font = '11px sans-serif'
  pen.beginPath()
  for (let at = 1; at < marks; at += 1) {
    const [x, y] = [Math.round((plotWidth * at) / marks) + 0.5, Math.round((plotHeight * at) / marks) + 0.5]
    pen.moveTo(0, y)
    pen.lineTo(plotWidth, y)
    pen.moveTo(x, 0)
    pen.lineTo(x, plotHeight)
    pen.fillText(textOf(at), plotWidth + 6, y + 4)
    pen.fillText(new Date(timeMs[from + Math.floor(x / barSpacePx)] as number).toISOString().slice(11, 16), x - 14, height - 8)
  }
  pen.stroke()
}
