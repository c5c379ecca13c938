// Converts candles to SVG paths.
import type { DemoCandle } from './generate-candles.ts'

export interface ChartArea {
  readonly width: number
  readonly height: number
}

export interface ChartPaths {
  readonly upBodies: string
  readonly downBodies: string
  readonly upWicks: string
  readonly downWicks: string
  readonly upVolume: string
  readonly downVolume: string
  readonly average: string
  /** Round prices for the grid, with their y position. */
  readonly levels: readonly { readonly price: number; readonly y: number }[]
  readonly yOf: (price: number) => number
  readonly xOf: (index: number) => number
}

export const candleStep = 11
const bodyWidth = 7
const padTop = 24
const volumeShare = 0.16

/** Number of candles that fit into a width. */
export function candlesIn(width: number): number {
  return Math.max(0, Math.floor(width / candleStep) - 1)
}

/** Paths of candles that start at the left edge; `average` has one value per candle. */
export function toChartPaths(candles: readonly DemoCandle[], average: readonly number[], area: ChartArea): ChartPaths {
  const low = Math.min(...candles.map((candle) => candle.low), ...average)
  const high = Math.max(...candles.map((candle) => candle.high), ...average)
  const floor = area.height * (1 - volumeShare)
  const perUnit = (floor - padTop) / (high - low || 1)
  const yOf = (price: number) => floor - (price - low) * perUnit
  const xOf = (index: number) => Math.round(index * candleStep + candleStep / 2) + 0.5
  const paths = { upBodies: '', downBodies: '', upWicks: '', downWicks: '', upVolume: '', downVolume: '' }
  candles.forEach((candle, index) => {
    const x = xOf(index)
    const left = x - bodyWidth / 2
    const top = crisp(yOf(Math.max(candle.open, candle.close)))
    const bottom = Math.max(crisp(yOf(Math.min(candle.open, candle.close))), top + 1)
    const volumeTop = crisp(area.height - candle.volume * area.height * volumeShare * 0.85)
    const side = candle.close >= candle.open ? 'up' : 'down'
    paths[`${side}Bodies`] += `M${left} ${top}h${bodyWidth}V${bottom}h-${bodyWidth}Z`
    paths[`${side}Wicks`] += `M${x} ${crisp(yOf(candle.high))}V${top}M${x} ${bottom}V${crisp(yOf(candle.low))}`
    paths[`${side}Volume`] += `M${left} ${area.height}V${volumeTop}h${bodyWidth}V${area.height}Z`
  })
  const line = average.map((value, index) => `${index === 0 ? 'M' : 'L'}${xOf(index)} ${yOf(value).toFixed(1)}`).join('')
  return { ...paths, average: line, levels: levelsOf(low, high).map((price) => ({ price, y: crisp(yOf(price)) })), yOf, xOf }
}

/** Four to nine round prices between two bounds. */
export function levelsOf(low: number, high: number): readonly number[] {
  if (!(high > low)) return []
  const rough = (high - low) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * (rough / power >= 5 ? 5 : rough / power >= 2 ? 2 : 1)
  const first = Math.ceil(low / step)
  const last = Math.floor(high / step)
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
}

/** On the half pixel, where a one-pixel line is sharp. */
function crisp(value: number): number {
  return Math.round(value) + 0.5
}
