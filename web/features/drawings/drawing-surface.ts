// Interface between drawings and the chart below them, implemented by the chart.
import type { MagnetBar } from '#shared/drawings/magnet.ts'
import { indexOfTime, timeOfIndex, type BarTimes, type Mapping } from '#shared/drawings/mapping.ts'

export type Paint = (pen: CanvasRenderingContext2D, mapping: Mapping) => void

/** Label on the price axis. */
export interface AxisMark {
  readonly price: number
  readonly text: string
  /** Background, and the colour of the text on it, as #rrggbb. */
  readonly colour: string
  readonly ink: string
}

export interface Layer {
  /** Requests a repaint. */
  readonly repaint: () => void
  readonly remove: () => void
}

export interface DrawingSurface {
  /** Receives pointer and key events; its top left corner is that of the price pane. */
  readonly host: HTMLElement
  /** Current mapping; undefined before the first candle. */
  readonly mapping: () => Mapping | undefined
  /** The bar nearest to a time. */
  readonly barAt: (timeMs: number) => MagnetBar | undefined
  /** Position of a time on the axis, in bars, and its inverse. */
  readonly indexOf: (timeMs: number) => number
  readonly timeOf: (index: number) => number
  /** Paints with every frame of the price pane, above the candles; marks are on the price axis beside it. */
  readonly addLayer: (paint: Paint, marks: () => readonly AxisMark[]) => Layer
}

export interface AxisOptions {
  readonly bars: BarTimes
  /** Centre of a bar in pixels; called with whole bars only, and only to measure the bar spacing. */
  readonly xOfIndex: (index: number) => number | null
  readonly yOfPrice: (price: number) => number | null
  readonly priceOfY: (y: number) => number | null
  readonly width: number
  readonly height: number
}

/** Mapping of a chart whose axis counts bars of equal width. */
export function mappingOf({ bars, xOfIndex, ...rest }: AxisOptions): Mapping {
  // The library only maps whole bars; two of them give all coordinates in between.
  const [first, second] = [xOfIndex(0), xOfIndex(1)]
  const axis = first === null || second === null || first === second ? undefined : { first, width: second - first }
  return {
    ...rest,
    xOfTime: (timeMs) => (axis === undefined ? null : axis.first + indexOfTime(bars, timeMs) * axis.width),
    timeOfX: (x) => (axis === undefined ? null : timeOfIndex(bars, (x - axis.first) / axis.width)),
  }
}
