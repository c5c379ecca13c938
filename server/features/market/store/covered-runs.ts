// Which time the rows of a file cover: a gap inside trading hours is missing, not quiet.
import type { TimeSpan } from '#shared/base/time-spans.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import { hasTrading, sessionsBetween } from '#shared/market/sessions/trading-time.ts'
import { stepMs, type HistoryStep } from '../feed.ts'
import { coveredTime } from '../history-steps.ts'

/** Spans of stamps from ascending candles; nights, weekends and holidays do not divide them. */
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
      // Where no list says when an exchange was closed, a whole day without a row counts as a holiday.
      if (isAssumed && openMs >= time.fromMs && closeMs <= time.toMs) continue
      // Files end at the last trade, or some values later.
      const tradedMs = segments.findLast(({ kind }) => kind !== 'closing-values')?.endMs ?? closeMs
      if (hasTrading(sessionClass, { fromMs: Math.max(openMs, time.fromMs), toMs: Math.min(tradedMs, time.toMs) })) return true
    }
    return false
  })
}
