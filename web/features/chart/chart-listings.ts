// Server answers about charts, by slug, shared by all components that need the chart choice.
import { listenerSet } from '#shared/base/listeners.ts'
import { useCallback, useSyncExternalStore } from 'react'
import type { ChartConfig } from '#shared/chart/contract.ts'
import type { ChartListing } from '#shared/chart/engine-choice.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'

type Known = Pick<ChartConfig, 'symbol' | 'widget' | 'substitutes' | 'native' | 'firstChart'>

const known = new Map<string, Known>()
const listeners = listenerSet()

export function rememberListing({ slug, symbol, widget, substitutes, native, firstChart }: ChartConfig): void {
  known.set(slug, { symbol, widget, substitutes, native, firstChart })
  listeners.notify()
}

/** The server's answer for an instrument; undefined until it arrives. */
export function useKnownListing(slug: string): Known | undefined {
  return useSyncExternalStore(
    listeners.add,
    useCallback(() => known.get(slug), [slug]),
  )
}

/** Whether the server has answered for an instrument. */
export function useIsListed(slug: string): boolean {
  return useKnownListing(slug) !== undefined
}

/** The requested timeframe counts until the server has answered. */
export function listingOf({ symbol, widget, isDailyOnly }: Instrument, reported: Known | undefined): ChartListing {
  return { symbol, widget, substitutes: [], native: 'real', firstChart: 'tradingview', ...reported, isDailyOnly }
}
