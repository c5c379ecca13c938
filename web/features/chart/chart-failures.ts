// Chart failures on this page so far: unresponsive frames, symbols without candles, Tezi charts without prices.
import { listenerSet } from '#shared/base/listeners.ts'
import { useSyncExternalStore } from 'react'
import type { Timeframe } from '#shared/candles/timeframe.ts'

export interface ChartFailures {
  /** Slugs whose frame timed out. */
  readonly unanswered: ReadonlySet<string>
  /** Symbols for which the widget had no data, with the timeframe. */
  readonly withoutData: ReadonlySet<string>
  /** Slugs of Tezi charts that have no price now. */
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

/** Clears all failures, so that the widget is tried again everywhere. */
export function forgetFailures(): void {
  set(nothing)
}

function set(next: ChartFailures): void {
  failures = next
  listeners.notify()
}
