// Drawings on adjusted prices: stored unadjusted, displayed adjusted, so that they stay on their candles.
import type { PriceAdjuster } from '#shared/candles/price-adjuster.ts'
import { safeAnchor, type Drawing } from '#shared/drawings/drawing.ts'

export interface AdjustedDrawings {
  toShown(stored: readonly Drawing[]): readonly Drawing[]
  /** Unchanged drawings are returned exactly as they were stored. */
  toStored(shown: readonly Drawing[]): readonly Drawing[]
}

export function adjustedDrawings(adjuster: PriceAdjuster | undefined): AdjustedDrawings {
  if (adjuster === undefined) return { toShown: (stored) => stored, toStored: (shown) => shown }
  const { factorAt } = adjuster
  const storedOf = new WeakMap<Drawing, Drawing>()

  function show(stored: Drawing): Drawing {
    const shown = withPrices(stored, factorAt)
    storedOf.set(shown, stored)
    return shown
  }

  return {
    toShown: (stored) => stored.map(show),
    toStored: (shown) => shown.map((one) => storedOf.get(one) ?? withPrices(one, (timeMs) => 1 / factorAt(timeMs))),
  }
}

function withPrices(drawing: Drawing, factorAt: (timeMs: number) => number): Drawing {
  const anchors = drawing.anchors.map((anchor) => safeAnchor(anchor.timeMs, anchor.price * factorAt(anchor.timeMs)) ?? anchor)
  return { ...drawing, anchors }
}
