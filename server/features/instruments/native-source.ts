// What the Tezi chart can show of a series now: prices that move, those of past days, generated ones, or nothing.
import { nativeSources, type NativeSource } from '#shared/chart/chart-choice.ts'
import { seriesReport, type SeriesFacts } from '#server/features/market-data/series-report.ts'

/**
 * What every user can see, without own brokers. Uses the hub's current state if known, else the configuration.
 * A source that is briefly down still counts.
 */
export function nativeSourceOf(facts: SeriesFacts, series: string): NativeSource {
  const label = facts.conditions.get(series)?.label ?? null
  if (label !== null) return label.mode === 'demo' || label.mode === 'end-of-day' ? label.mode : 'real'
  const usable = seriesReport(facts, series).sources.filter(({ issues }) => issues.length === 0)
  if (usable.length === 0) return 'none'
  const kinds = new Set(usable.map(({ source }) => kindOf(source)))
  return nativeSources.find((kind) => kinds.has(kind)) ?? 'none'
}

/** Imported files have no updates; every other source streams or polls. */
function kindOf(source: string): NativeSource {
  return source === 'demo' ? 'demo' : source === 'csv' ? 'end-of-day' : 'real'
}
