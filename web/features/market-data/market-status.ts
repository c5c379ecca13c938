// Market status of the visible charts (label, trading hours, clock), for the header and the chart toolbars.
import { listenerSet } from '#shared/base/listeners.ts'
import { useCallback, useSyncExternalStore } from 'react'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'

export interface MarketStatus {
  readonly slug: string
  readonly condition: LiveCondition
  /** False while disconnected from our server. */
  readonly isConnected: boolean
  /** Current estimate of server clock minus browser clock, in milliseconds. */
  readonly clockOffsetMs: () => number
}

/** One entry per chart; two charts may show the same instrument. */
const shown = new Set<MarketStatus>()
const listeners = listenerSet()

/** Status of this instrument's Tezi chart; undefined while none is visible or the status is unknown. */
export function useMarketStatus(slug: string | undefined): MarketStatus | undefined {
  const read = useCallback(() => [...shown].find((market) => market.slug === slug), [slug])
  return useSyncExternalStore(listeners.add, read)
}

/** Returns a function that removes the entry. */
export function showMarketStatus(market: MarketStatus): () => void {
  shown.add(market)
  listeners.notify()
  return () => {
    shown.delete(market)
    listeners.notify()
  }
}
