// Moves and resizes drawings: by pointer in pixels, and by keyboard in bars and ticks.
import { safeAnchor, type Anchor, type Drawing } from './drawing.ts'
import type { Mapping, Point } from './mapping.ts'

/** Moves a drawing by an offset in pixels. Unchanged if the chart cannot map an anchor. */
export function moved(drawing: Drawing, by: Point, mapping: Mapping): Drawing {
  return withAnchors(
    drawing,
    drawing.anchors.map(({ timeMs, price }) => {
      const [x, y] = [mapping.xOfTime(timeMs), mapping.yOfPrice(price)]
      // An unchanged coordinate keeps its exact value.
      const nextMs = by.x === 0 ? timeMs : x === null ? null : mapping.timeOfX(x + by.x)
      const nextPrice = by.y === 0 ? price : y === null ? null : mapping.priceOfY(y + by.y)
      return safeAnchor(nextMs, nextPrice)
    }),
  )
}

/** Moves one handle; handles 2 and 3 are the corners between the anchors. */
export function resized(drawing: Drawing, handle: number, to: Anchor): Drawing {
  const [first, second] = drawing.anchors
  const safe = safeAnchor(to.timeMs, to.price)
  if (first === undefined || safe === undefined) return drawing
  if (second === undefined) return withAnchors(drawing, [safe])
  if (handle === 2)
    return withAnchors(drawing, [
      { ...first, timeMs: safe.timeMs },
      { ...second, price: safe.price },
    ])
  if (handle === 3)
    return withAnchors(drawing, [
      { ...first, price: safe.price },
      { ...second, timeMs: safe.timeMs },
    ])
  return withAnchors(drawing, handle === 0 ? [safe, second] : [first, safe])
}

/** Keyboard step to the right and upwards, in bars and in ticks. */
export interface Nudge {
  readonly bars: number
  readonly ticks: number
}

export interface NudgeSteps {
  /** The time this many bars later, for example across a night. */
  readonly timeAfter: (timeMs: number, bars: number) => number
  /** Tick size of the price. */
  readonly tickSize: number
  /** Index of the only anchor to move; undefined for all. */
  readonly only?: number | undefined
}

/** Moves a drawing by keyboard; unchanged if the result is not a number. */
export function nudged(drawing: Drawing, { bars, ticks }: Nudge, { timeAfter, tickSize, only }: NudgeSteps): Drawing {
  return withAnchors(
    drawing,
    drawing.anchors.map(({ timeMs, price }, at) =>
      only !== undefined && only !== at
        ? { timeMs, price }
        : safeAnchor(bars === 0 ? timeMs : timeAfter(timeMs, bars), ticks === 0 ? price : onGrid(price + ticks * tickSize, tickSize)),
    ),
  )
}

/** Sums of decimals drift; keeps a price on the tick grid. */
function onGrid(price: number, tickSize: number): number {
  const decimals = Math.min(10, Math.max(0, Math.ceil(-Math.log10(tickSize)) + 3))
  return Number(price.toFixed(decimals))
}

function withAnchors(drawing: Drawing, anchors: readonly (Anchor | undefined)[]): Drawing {
  const known = anchors.filter((anchor) => anchor !== undefined)
  return known.length === drawing.anchors.length ? { ...drawing, anchors: known } : drawing
}
