// Last prices of a menu's instruments: each with its daily change, and never without its label.
import type { Group } from '#shared/instruments/instruments.ts'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import type { QuoteListener } from './live-listener.ts'

export interface MenuPrice {
  readonly price: number
  /** Change since the previous close, in percent; null where unknown. */
  readonly changePercent: number | null
  readonly condition: LiveCondition
  readonly isConnected: boolean
}

interface MenuQuote {
  readonly price: number | null
  readonly changePercent: number | null
  readonly condition: LiveCondition | null
}

export interface MenuPricesOptions {
  readonly group: Group
  readonly watchQuotes: (group: Group, listener: QuoteListener) => () => void
  readonly onPrices: (prices: ReadonlyMap<string, MenuPrice>) => void
}

/** Follows the group until the returned function is called. */
export function menuPrices({ group, watchQuotes, onPrices }: MenuPricesOptions): () => void {
  let quoteBySlug = new Map<string, MenuQuote>()
  let isConnected = true
  const report = () => {
    const prices = new Map<string, MenuPrice>()
    for (const [slug, { price, changePercent, condition }] of quoteBySlug)
      // Never show a price without a label.
      if (price !== null && condition !== null && condition.label !== null)
        prices.set(slug, { price, changePercent, condition, isConnected })
    onPrices(prices)
  }
  return watchQuotes(group, {
    quotes(quotes, isAll) {
      if (isAll) quoteBySlug = new Map()
      for (const [slug, price, changePercent, condition] of quotes)
        quoteBySlug.set(slug, { price, changePercent, condition: condition ?? quoteBySlug.get(slug)?.condition ?? null })
      report()
    },
    connected(next) {
      if (next === isConnected) return
      isConnected = next
      report()
    },
  })
}
