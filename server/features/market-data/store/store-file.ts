// Stores the candles of a file as source `csv`: a gap inside trading hours is missing data, not a quiet market.
import { factsOf } from '#shared/instruments/instrument-facts.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { hasTrading, sessionsBetween } from '#shared/trading-hours/trading-gaps.ts'
import { stepMs, type HistoryStep } from '../feed.ts'
import { coveredTime } from '../coverage.ts'
import { withoutVolume } from '../without-volume.ts'
import type { CandleStore } from './candle-store.ts'

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

/** Covered spans of ascending candles; nights, weekends and holidays do not split them. */
export function coveredRuns(step: HistoryStep, sessionClass: SessionClass, candles: readonly Candle[]): TimeSpan[] {
  const runs: TimeSpan[] = []
  for (const { timeMs } of candles) {
    const last = runs.at(-1)
    const toMs = timeMs + stepMs[step]
    if (last === undefined || isHole(step, sessionClass, { fromMs: last.toMs, toMs: timeMs })) runs.push({ fromMs: timeMs, toMs })
    else runs[runs.length - 1] = { fromMs: last.fromMs, toMs }
  }
  return runs
}

function isHole(step: HistoryStep, sessionClass: SessionClass, gap: TimeSpan): boolean {
  if (gap.fromMs >= gap.toMs) return false
  return coveredTime(step, sessionClass, { [step]: [gap] }).some((time) => {
    for (const { openMs, closeMs, segments, isAssumed } of sessionsBetween(sessionClass, time)) {
      // Without a holiday list, a whole day without rows counts as a holiday.
      if (isAssumed && openMs >= time.fromMs && closeMs <= time.toMs) continue
      // Files end at the last trade, or some closing values later.
      const tradedMs = segments.findLast(({ kind }) => kind !== 'closing-values')?.endMs ?? closeMs
      if (hasTrading(sessionClass, { fromMs: Math.max(openMs, time.fromMs), toMs: Math.min(tradedMs, time.toMs) })) return true
    }
    return false
  })
}
