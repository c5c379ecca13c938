// Stores the candles of a file as source `csv`.
import { factsOf } from '#shared/instruments/instrument-facts.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { HistoryStep } from '../feed.ts'
import { withoutVolume } from '../without-volume.ts'
import type { CandleStore } from './candle-store.ts'
import { coveredRuns } from './covered-runs.ts'

export interface StoreFileOptions {
  readonly store: Pick<CandleStore, 'append'>
  readonly series: string
  readonly step: HistoryStep
  /** Ascending. */
  readonly candles: readonly Candle[]
}

/** Resolves to the spans of trading time that are missing between rows. */
export async function storeFile({ store, series, step, candles }: StoreFileOptions): Promise<TimeSpan[]> {
  const { sessionClass, hasVolume } = factsOf(series)
  const key = { series, source: 'csv', step } as const
  const runs = coveredRuns(step, sessionClass, candles)
  await store.append(key, hasVolume ? candles : candles.map(withoutVolume), runs)
  return runs.slice(1).map(({ fromMs }, index) => ({ fromMs: runs[index]?.toMs ?? fromMs, toMs: fromMs }))
}
