// What the Tezi chart can show of a series now: real prices, generated ones, or nothing.
import type { NativeSource } from '#shared/chart/engine-choice.ts'
import { seriesReport, type SeriesFacts } from '#server/features/market-data/series-report.ts'

/**
 * What every user can see, without own brokers. Uses the hub's current state if known, else the configuration.
 * A source that is briefly down still counts.
 */
export function nativeSourceOf(facts: SeriesFacts, series: string): NativeSource {
  const label = facts.conditions.get(series)?.label ?? null
  if (label !== null) return label.mode === 'demo' ? 'demo' : 'real'
  const usable = seriesReport(facts, series).sources.filter(({ issues }) => issues.length === 0)
  if (usable.length === 0) return 'none'
  return usable.some(({ source }) => source !== 'demo') ? 'real' : 'demo'
}
