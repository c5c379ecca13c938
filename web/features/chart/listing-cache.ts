// What the server last said about an instrument's charts, kept by the browser for the first paint of its next visit.
import { parseJson } from '#shared/base/parse-json.ts'
import type { ChartConfig } from '#shared/chart/contract.ts'
import { firstCharts, nativeSources, type ChartListing } from '#shared/chart/chart-choice.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { site } from '#web/lib/site.ts'
import { browserStorage, settingsPrefix } from '#web/lib/browser-storage.ts'
import './calendar-cache.ts'

export type KnownListing = Pick<ChartConfig, 'symbol' | 'widget' | 'substitutes' | 'native' | 'firstChart'>

const keyOf = (slug: string) => `${settingsPrefix}listing.${slug}`

export function cacheListing(slug: string, known: KnownListing): void {
  browserStorage.set(keyOf(slug), JSON.stringify(known))
}

export function cachedListing(slug: string): KnownListing | undefined {
  const kept = parseJson(browserStorage.get(keyOf(slug)) ?? '')
  return isListing(kept) ? kept : undefined
}

/** Only what this release writes: a schema would be more code than the first paint has. */
function isListing(value: unknown): value is KnownListing {
  if (typeof value !== 'object' || value === null) return false
  const { symbol, substitutes, native, firstChart } = value as Partial<KnownListing>
  if (!Array.isArray(substitutes) || substitutes.some(({ sessionClass }) => sessionClass === undefined)) return false
  const isChoice = nativeSources.some((known) => known === native) && firstCharts.some((known) => known === firstChart)
  return isChoice && typeof symbol === 'string'
}

/** The requested timeframe counts until the server has answered. */
export function listingOf({ symbol, widget, group }: Instrument, reported: KnownListing | undefined): ChartListing {
  return { symbol, widget, substitutes: [], native: 'real', firstChart: site.firstChart, ...reported, isStock: group === 'STOCKS' }
}
