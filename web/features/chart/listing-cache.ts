// What the server last said about an instrument's charts, kept by the browser for the first paint of its next visit.
import { parseJson } from '#shared/base/safe-json.ts'
import { chartSchema, type ChartConfig } from '#shared/chart/contract.ts'
import type { ChartListing } from '#shared/chart/engine-choice.ts'
import type { Instrument } from '#shared/instruments/instruments.ts'
import { site } from '#web/lib/site.ts'
import { browserStorage, settingsPrefix } from '#web/lib/storage.ts'

export type KnownListing = Pick<ChartConfig, 'symbol' | 'widget' | 'substitutes' | 'native' | 'firstChart'>

const knownSchema = chartSchema.pick({ symbol: true, widget: true, substitutes: true, native: true, firstChart: true })
const keyOf = (slug: string) => `${settingsPrefix}listing.${slug}`

export function cacheListing(slug: string, known: KnownListing): void {
  browserStorage.set(keyOf(slug), JSON.stringify(known))
}

export function cachedListing(slug: string): KnownListing | undefined {
  return knownSchema.safeParse(parseJson(browserStorage.get(keyOf(slug)) ?? '')).data
}

/** The requested timeframe counts until the server has answered. */
export function listingOf({ symbol, widget, isDailyOnly }: Instrument, reported: KnownListing | undefined): ChartListing {
  return { symbol, widget, substitutes: [], native: 'real', firstChart: site.firstChart, ...reported, isDailyOnly }
}
