// Finds jumps of a share's stored price that no corporate action explains, and expected jumps that are missing.
import { dayMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { corporateActionsOf } from '#shared/candles/corporate-actions.ts'

export interface Cliff {
  /** `adjusted-rows`: candles before an ex-date are stored adjusted, so that reading adjusts them twice. */
  readonly kind: 'adjusted-rows' | 'unexplained-jump'
  /** Timestamps of the candles on both sides. */
  readonly fromMs: number
  readonly toMs: number
}

/** The exchange's price limits and overnight news are smaller; the smallest usual split is not. */
const jumpMin = Math.log(1 / 0.7)
/** Candles further apart say nothing about a single day between them. */
const apartMax = 15 * dayMs

/** Compares the open of each session with the previous close. The candles are stored ones of one step, ascending. */
export function findCliffs(series: string, candles: readonly Candle[]): Cliff[] {
  const actions = corporateActionsOf(series).map(({ exDate, priceFactor }) => ({ exMs: Date.parse(exDate), change: Math.log(priceFactor) }))
  const cliffs: Cliff[] = []
  for (const [index, next] of candles.entries()) {
    const before = candles[index - 1]
    if (before === undefined || dayOf(before) === dayOf(next) || next.timeMs - before.timeMs > apartMax) continue
    const jump = Math.log(next.open / before.close)
    const expected = actions.reduce((sum, { exMs, change }) => (before.timeMs < exMs && next.timeMs >= exMs ? sum + change : sum), 0)
    const isMissing = expected !== 0 && Math.abs(jump) < Math.abs(jump - expected)
    if (isMissing) cliffs.push({ kind: 'adjusted-rows', fromMs: before.timeMs, toMs: next.timeMs })
    else if (Math.abs(jump - expected) > jumpMin) cliffs.push({ kind: 'unexplained-jump', fromMs: before.timeMs, toMs: next.timeMs })
  }
  return cliffs
}

/** Sessions of Indian shares are within one UTC day. */
function dayOf({ timeMs }: Candle): number {
  return Math.floor(timeMs / dayMs)
}
