// Missing settings of enabled sources: names for the operator and the log, never values.
import { sourceNames, type SourceName } from '../features/market-data/feed.ts'
import type { MarketConfig } from './market-config.ts'

type Keys = Pick<MarketConfig, 'twelveDataKey' | 'kiteKey' | 'kiteToken' | 'openAlgoKey' | 'csvDir'>

const neededBy: Partial<Record<SourceName, Readonly<Record<string, keyof Keys>>>> = {
  'twelve-data': { TWELVE_DATA_KEY: 'twelveDataKey' },
  kite: { KITE_API_KEY: 'kiteKey', KITE_ACCESS_TOKEN: 'kiteToken' },
  openalgo: { OPENALGO_KEY: 'openAlgoKey' },
  csv: { CSV_DIR: 'csvDir' },
}

/** Names of missing variables, such as KITE_API_KEY, by source; complete and disabled sources are omitted. */
export function missingSettings(market: Pick<MarketConfig, 'sources' | keyof Keys>): ReadonlyMap<SourceName, readonly string[]> {
  const missing = new Map<SourceName, readonly string[]>()
  for (const source of sourceNames) {
    if (!market.sources.has(source)) continue
    const needed = Object.entries(neededBy[source] ?? {})
    const absent = needed.filter(([, key]) => market[key] === undefined).map(([name]) => name)
    if (absent.length > 0) missing.set(source, absent)
  }
  return missing
}
