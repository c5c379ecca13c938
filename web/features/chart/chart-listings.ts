// Server answers about charts, by slug, shared by all components that need the chart choice.
import { listenerSet } from '#shared/base/listeners.ts'
import { useCallback, useSyncExternalStore } from 'react'
import type { ChartConfig } from '#shared/chart/contract.ts'
import { cacheListing, type KnownListing } from './listing-cache.ts'

const known = new Map<string, KnownListing>()
const listeners = listenerSet()

export function rememberListing({ slug, symbol, widget, substitutes, native, firstChart }: ChartConfig): void {
  const listing = { symbol, widget, substitutes, native, firstChart }
  known.set(slug, listing)
  cacheListing(slug, listing)
  listeners.notify()
}

/** The server's answer for an instrument; undefined until it arrives. */
export function useKnownListing(slug: string): KnownListing | undefined {
  return useSyncExternalStore(
    listeners.add,
    useCallback(() => known.get(slug), [slug]),
  )
}

/** Whether the server has answered for an instrument. */
export function useIsListed(slug: string): boolean {
  return useKnownListing(slug) !== undefined
}
