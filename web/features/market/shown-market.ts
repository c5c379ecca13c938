// What the charts on the screen know of their markets: label, trading hours and clock, for the header and the bars above the charts.
import { listenerSet } from '#shared/base/listeners.ts'
import { useCallback, useSyncExternalStore } from 'react'
import type { LiveCondition } from '#shared/market/live.ts'

export interface ShownMarket {
  readonly slug: string
  readonly condition: LiveCondition
  /** False while the line to our server is cut. */
  readonly isConnected: boolean
  /** Server's clock minus ours, in milliseconds, as well as it is known by now. */
  readonly clockOffsetMs: () => number
}

/** One for each chart; two charts may show one instrument. */
const shown = new Set<ShownMarket>()
const listeners = listenerSet()

/** Of our own chart of this instrument; undefined while none is on the screen or nothing is known yet. */
export function useShownMarket(slug: string | undefined): ShownMarket | undefined {
  const read = useCallback(() => [...shown].find((market) => market.slug === slug), [slug])
  return useSyncExternalStore(listeners.add, read)
}

/** Returns the way to take it back, for what is known next or when the chart goes. */
export function showMarket(market: ShownMarket): () => void {
  shown.add(market)
  listeners.notify()
  return () => {
    shown.delete(market)
    listeners.notify()
  }
}
