// What the server said about charts, by slug, for all who have to know which chart is shown.
import { listenerSet } from '#shared/base/listeners.ts'
import { useCallback, useSyncExternalStore } from 'react'
import type { ChartConfig } from '#shared/market/contract.ts'
import type { ChartListing } from '#shared/market/engine-choice.ts'
import type { Instrument } from '#shared/market/instruments.ts'

type Known = Pick<ChartConfig, 'symbol' | 'widget' | 'substitutes' | 'native' | 'firstChart'>

const known = new Map<string, Known>()
const listeners = listenerSet()

export function rememberListing({ slug, symbol, widget, substitutes, native, firstChart }: ChartConfig): void {
  known.set(slug, { symbol, widget, substitutes, native, firstChart })
  listeners.notify()
}

/** What the server said about an instrument; undefined while it has not. */
export function useKnownListing(slug: string): Known | undefined {
  return useSyncExternalStore(
    listeners.add,
    useCallback(() => known.get(slug), [slug]),
  )
}

/** Whether the server has said what there is of an instrument. */
export function useIsListed(slug: string): boolean {
  return useKnownListing(slug) !== undefined
}

/** Until the server has answered, the chosen timeframe counts. */
export function listingOf({ symbol, widget, isDailyOnly }: Instrument, said: Known | undefined): ChartListing {
  return { symbol, widget, substitutes: [], native: 'real', firstChart: 'tradingview', ...said, isDailyOnly }
}
