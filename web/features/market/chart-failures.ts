// What charts could not show in this page so far: frames that did not answer, symbols without candles, own charts without prices.
import { listenerSet } from '#shared/base/listeners.ts'
import { useSyncExternalStore } from 'react'
import type { Timeframe } from '#shared/market/timeframe.ts'

export interface ChartFailures {
  /** Slugs whose frame did not answer in time. */
  readonly unanswered: ReadonlySet<string>
  /** Symbols with the timeframe at which the widget had nothing. */
  readonly withoutData: ReadonlySet<string>
  /** Slugs of own charts for which there is no price now. */
  readonly withoutPrices: ReadonlySet<string>
}

const nothing: ChartFailures = { unanswered: new Set(), withoutData: new Set(), withoutPrices: new Set() }
let failures = nothing
const listeners = listenerSet()

export function useChartFailures(): ChartFailures {
  return useSyncExternalStore(listeners.add, () => failures)
}

export function dataKeyOf(symbol: string, timeframe: Timeframe): string {
  return `${symbol} ${timeframe}`
}

export function noteUnanswered(slug: string): void {
  if (!failures.unanswered.has(slug)) set({ ...failures, unanswered: new Set([...failures.unanswered, slug]) })
}

export function noteNoData(symbol: string, timeframe: Timeframe): void {
  const key = dataKeyOf(symbol, timeframe)
  if (!failures.withoutData.has(key)) set({ ...failures, withoutData: new Set([...failures.withoutData, key]) })
}

export function notePrices(slug: string, hasPrices: boolean): void {
  if (failures.withoutPrices.has(slug) !== hasPrices) return
  const others = [...failures.withoutPrices].filter((other) => other !== slug)
  set({ ...failures, withoutPrices: new Set(hasPrices ? others : [...others, slug]) })
}

/** The widget gets another chance everywhere. */
export function forgetFailures(): void {
  set(nothing)
}

function set(next: ChartFailures): void {
  failures = next
  listeners.notify()
}
