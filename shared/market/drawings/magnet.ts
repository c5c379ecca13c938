// The magnet: an anchor near one of the four prices of a bar takes that price, and the bar's own time.
import type { Anchor } from './drawing.ts'
import type { Mapping, Point } from './mapping.ts'

export interface MagnetBar {
  readonly timeMs: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

/** How far a price pulls, in pixels. */
const magnetPx = 24

/**
 * The anchor at a point: on the nearest of the bar's prices where one is within reach, else exactly at the point.
 * `barAt` gives the bar nearest to a moment. Null where the chart cannot say.
 */
export function magnetised(point: Point, mapping: Mapping, barAt: (timeMs: number) => MagnetBar | undefined): Anchor | null {
  const [timeMs, price] = [mapping.timeOfX(point.x), mapping.priceOfY(point.y)]
  if (timeMs === null || price === null || !Number.isFinite(timeMs) || !Number.isFinite(price)) return null
  const bar = barAt(timeMs)
  if (bar === undefined) return { timeMs, price }
  const prices = [bar.open, bar.high, bar.low, bar.close].flatMap((price) => {
    const y = mapping.yOfPrice(price)
    const distance = y === null ? Number.NaN : Math.abs(y - point.y)
    return distance <= magnetPx ? [{ price, distance }] : []
  })
  const nearest = prices.toSorted((one, other) => one.distance - other.distance)[0]
  return nearest === undefined ? { timeMs, price } : { timeMs: bar.timeMs, price: nearest.price }
}
