// What our own chart can show of a series now: real prices, generated ones, or nothing.
import type { NativeSource } from '#shared/market/engine-choice.ts'
import { seriesReport, type SeriesFacts } from '../operator/series-report.ts'

/**
 * What everyone can see; a user's own broker is not in it. By the hub's present word where it has one, else by the
 * configuration. A source that is down for a moment still counts.
 */
export function nativeSourceOf(facts: SeriesFacts, series: string): NativeSource {
  const label = facts.conditions.get(series)?.label ?? null
  if (label !== null) return label.mode === 'demo' ? 'demo' : 'real'
  const usable = seriesReport(facts, series).sources.filter(({ obstacles }) => obstacles.length === 0)
  if (usable.length === 0) return 'none'
  return usable.some(({ source }) => source !== 'demo') ? 'real' : 'demo'
}
