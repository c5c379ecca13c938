// Converts a series item and its options, as lightweight-charts would get them, to a shape for the forming bar.
import type { SeriesType } from 'lightweight-charts'
import type { Sprite } from './draw.ts'

/** Union of the fields of all item types in the library. */
export interface LooseItem {
  readonly time: unknown
  readonly open?: number
  readonly high?: number
  readonly low?: number
  readonly close?: number
  readonly value?: number
  readonly color?: string
  readonly borderColor?: string
  readonly wickColor?: string
}

/** Union of the options of all series types. */
export interface LooseOptions {
  readonly upColor?: string
  readonly downColor?: string
  readonly borderUpColor?: string
  readonly borderDownColor?: string
  readonly wickUpColor?: string
  readonly wickDownColor?: string
  readonly color?: string
  readonly lineColor?: string
  readonly lineWidth?: number
  readonly topColor?: string
  readonly bottomColor?: string
  readonly base?: number
}

export interface FormingItems {
  readonly item: LooseItem
  /** Previous item, where the line starts. */
  readonly before: LooseItem | undefined
  /** Device pixels; NaN without a scale. */
  readonly yOf: (price: number) => number
}

/** Undefined where the bar has no value. */
export function spriteOf(type: SeriesType, options: LooseOptions, { item, before, yOf }: FormingItems): Sprite | undefined {
  const { open = Number.NaN, high = Number.NaN, low = Number.NaN, close = Number.NaN, value } = item
  if (type === 'Candlestick' || type === 'Bar') {
    if (Number.isNaN(close)) return undefined
    const isUp = close >= open
    const ohlc = { openY: yOf(open), highY: yOf(high), lowY: yOf(low), closeY: yOf(close) }
    const colour = item.color ?? (isUp ? options.upColor : options.downColor) ?? ''
    if (type === 'Bar') return { kind: 'bar', ...ohlc, colour }
    const border = item.borderColor ?? (isUp ? options.borderUpColor : options.borderDownColor) ?? ''
    const wick = item.wickColor ?? (isUp ? options.wickUpColor : options.wickDownColor) ?? ''
    return { kind: 'candle', ...ohlc, body: colour, border, wick }
  }
  if (value === undefined) return undefined
  if (type === 'Histogram')
    return { kind: 'column', y: yOf(value), baseY: yOf(options.base ?? 0), colour: item.color ?? options.color ?? '' }
  const { topColor, bottomColor, lineWidth = 1 } = options
  return {
    kind: 'line',
    y: yOf(value),
    beforeY: before?.value === undefined ? Number.NaN : yOf(before.value),
    // A line segment has the colour of the point it starts from.
    colour: before?.color ?? item.color ?? options.lineColor ?? options.color ?? '',
    widthPx: lineWidth,
    fill: topColor === undefined || bottomColor === undefined ? undefined : [topColor, bottomColor],
  }
}

const unseen = 'rgba(0, 0, 0, 0)'

/** Options of an invisible series that still counts for price scale and crosshair. */
export function unseenOptions(type: SeriesType, { color, lineColor }: LooseOptions): LooseOptions {
  const body = { upColor: unseen, downColor: unseen }
  if (type === 'Candlestick') return { ...body, borderUpColor: unseen, borderDownColor: unseen, wickUpColor: unseen, wickDownColor: unseen }
  if (type === 'Bar') return body
  if (type === 'Histogram') return { color: unseen }
  const marker = { crosshairMarkerBackgroundColor: lineColor ?? color ?? '' }
  return type === 'Line' ? { ...marker, color: unseen } : { ...marker, lineColor: unseen, topColor: unseen, bottomColor: unseen }
}

/** The item without its own colours. */
export function unseenItem({ time, open, high, low, close, value }: LooseItem): LooseItem {
  if (value !== undefined) return { time, value }
  return open === undefined || high === undefined || low === undefined || close === undefined ? { time } : { time, open, high, low, close }
}

/** Lowest and highest price that the scale must include. */
export type PriceRange = readonly [number, number]

/** Undefined for an item without a value. */
export function rangeOfItem({ low, high, value }: LooseItem): PriceRange | undefined {
  if (value !== undefined) return [value, value]
  return low === undefined || high === undefined ? undefined : [low, high]
}
