// The narrow port between drawings and the chart that they lie on; the chart makes one of these.
import type { MagnetBar } from '#shared/market/drawings/magnet.ts'
import { indexOfTime, timeOfIndex, type BarTimes, type Mapping } from '#shared/market/drawings/mapping.ts'

export type Paint = (pen: CanvasRenderingContext2D, mapping: Mapping) => void

export interface Layer {
  /** Asks for a new picture. */
  readonly repaint: () => void
  readonly remove: () => void
}

export interface DrawingSurface {
  /** Gets pointer and keys; its top left corner is that of the price pane. */
  readonly host: HTMLElement
  /** As the chart stands now; undefined before its first candle. */
  readonly mapping: () => Mapping | undefined
  /** The bar nearest to a moment. */
  readonly barAt: (timeMs: number) => MagnetBar | undefined
  /** Place of a moment on the axis, in bars, and the way back. */
  readonly indexOf: (timeMs: number) => number
  readonly timeOf: (index: number) => number
  /** Paints with every picture of the price pane, above the candles. */
  readonly addLayer: (paint: Paint) => Layer
}

export interface AxisNeeds {
  readonly bars: BarTimes
  /** Middle of a bar in pixels; asked for whole bars only, and only to see how wide they are. */
  readonly xOfIndex: (index: number) => number | null
  readonly yOfPrice: (price: number) => number | null
  readonly priceOfY: (y: number) => number | null
  readonly width: number
  readonly height: number
}

/** The mapping of a chart whose axis counts bars, each as wide as the others. */
export function mappingOf({ bars, xOfIndex, ...rest }: AxisNeeds): Mapping {
  // The library has places for whole bars only; two of them tell all places in between.
  const [first, second] = [xOfIndex(0), xOfIndex(1)]
  const axis = first === null || second === null || first === second ? undefined : { first, width: second - first }
  return {
    ...rest,
    xOfTime: (timeMs) => (axis === undefined ? null : axis.first + indexOfTime(bars, timeMs) * axis.width),
    timeOfX: (x) => (axis === undefined ? null : timeOfIndex(bars, (x - axis.first) / axis.width)),
  }
}
