// Shared by the histories of several sources: splits a long request into calls and normalises the rows.
import type { TimeSpan } from '#shared/base/time-spans.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { HistoryRequest } from '../feed.ts'
import { stepEndMs } from '../history-steps.ts'
import { ascendingOnce } from '../store/sort-unique.ts'

/** Splits [fromMs, toMs) into spans of at most `spanMs`, ascending; empty for an empty range. */
export function historySpans(span: TimeSpan, spanMs: number): TimeSpan[] {
  const spans: TimeSpan[] = []
  for (let fromMs = span.fromMs; fromMs < span.toMs; fromMs += spanMs) {
    spans.push({ fromMs, toMs: Math.min(span.toMs, fromMs + spanMs) })
  }
  return spans
}

/**
 * Normalises rows of one or several responses as `Feed.history` requires: ascending, unique timestamps (the last row
 * wins), only within the requested range, none with a missing number, and none that is still forming at `nowMs`.
 */
export function orderlyCandles(
  rows: readonly Candle[],
  request: HistoryRequest,
  at: { readonly nowMs: number; readonly sessionClass: SessionClass | null },
): Candle[] {
  const isWanted = ({ timeMs }: Candle) => timeMs >= request.fromMs && timeMs < request.toMs
  const isOver = ({ timeMs }: Candle) => stepEndMs(request.step, timeMs, at.sessionClass) <= at.nowMs
  return ascendingOnce(rows.filter((row) => isWanted(row) && isComplete(row) && isOver(row)))
}

function isComplete(row: Candle): boolean {
  return [row.timeMs, row.open, row.high, row.low, row.close, row.volume ?? 0].every(Number.isFinite)
}
