// Magnet: an anchor near one of a bar's four prices snaps to that price, and to the bar's time.
import type { Anchor } from './drawing.ts'
import type { Mapping, Point } from './mapping.ts'

export interface MagnetBar {
  readonly timeMs: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

/** Snap distance in pixels. */
const magnetPx = 24

/**
 * The anchor at a point: on the nearest of the bar's prices within reach, else exactly at the point.
 * `barAt` returns the bar nearest to a time. Null if the chart cannot map the point.
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
