// Moving and resizing drawings: by pixels of a pointer, and by bars and ticks of the keyboard.
import { safeAnchor, type Anchor, type Drawing } from './drawing.ts'
import type { Mapping, Point } from './mapping.ts'

/** Moved as a whole by so many pixels. Unchanged where the chart cannot say where an anchor would be. */
export function moved(drawing: Drawing, by: Point, mapping: Mapping): Drawing {
  return withAnchors(
    drawing,
    drawing.anchors.map(({ timeMs, price }) => {
      const [x, y] = [mapping.xOfTime(timeMs), mapping.yOfPrice(price)]
      // What stays where it is keeps its exact value.
      const nextMs = by.x === 0 ? timeMs : x === null ? null : mapping.timeOfX(x + by.x)
      const nextPrice = by.y === 0 ? price : y === null ? null : mapping.priceOfY(y + by.y)
      return safeAnchor(nextMs, nextPrice)
    }),
  )
}

/** With one of its handles at another place; handles 2 and 3 are the corners between the anchors. */
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

/** Steps of the keyboard: to the right and upwards, in bars and in ticks. */
export interface Nudge {
  readonly bars: number
  readonly ticks: number
}

export interface NudgeSteps {
  /** The moment so many bars later, such as over a night. */
  readonly timeAfter: (timeMs: number, bars: number) => number
  /** Smallest step of a price. */
  readonly tickSize: number
  /** Number of the one anchor to move; without it all of them. */
  readonly only?: number | undefined
}

/** Moved by the keyboard; unchanged where that leads to no number. */
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

/** Sums of decimals drift; a price that was on the grid stays on it. */
function onGrid(price: number, tickSize: number): number {
  const decimals = Math.min(10, Math.max(0, Math.ceil(-Math.log10(tickSize)) + 3))
  return Number(price.toFixed(decimals))
}

function withAnchors(drawing: Drawing, anchors: readonly (Anchor | undefined)[]): Drawing {
  const known = anchors.filter((anchor) => anchor !== undefined)
  return known.length === drawing.anchors.length ? { ...drawing, anchors: known } : drawing
}
