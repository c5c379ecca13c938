// What the histories of several sources have in common: a long wish becomes calls, and rows become an orderly list.
import type { TimeSpan } from '#shared/base/time-spans.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import type { HistoryRequest } from '../feed.ts'
import { stepEndMs } from '../history-steps.ts'

/** Splits [fromMs, toMs) into spans of at most `spanMs`, ascending; none where there is nothing between. */
export function historySpans(span: TimeSpan, spanMs: number): TimeSpan[] {
  const spans: TimeSpan[] = []
  for (let fromMs = span.fromMs; fromMs < span.toMs; fromMs += spanMs) {
    spans.push({ fromMs, toMs: Math.min(span.toMs, fromMs + spanMs) })
  }
  return spans
}

/**
 * Rows of one or several answers as `Feed.history` promises them: ascending, each stamp once (the last statement
 * counts), only those that were asked for, none with a missing number, and none that still forms at `nowMs`.
 */
export function orderlyCandles(
  rows: readonly Candle[],
  request: HistoryRequest,
  at: { readonly nowMs: number; readonly sessionClass: SessionClass | null },
): Candle[] {
  const byStamp = new Map<number, Candle>()
  for (const row of rows) {
    const isWanted = row.timeMs >= request.fromMs && row.timeMs < request.toMs
    if (isWanted && isComplete(row) && stepEndMs(request.step, row.timeMs, at.sessionClass) <= at.nowMs) byStamp.set(row.timeMs, row)
  }
  return [...byStamp.values()].toSorted((one, other) => one.timeMs - other.timeMs)
}

function isComplete(row: Candle): boolean {
  return [row.timeMs, row.open, row.high, row.low, row.close, row.volume ?? 0].every(Number.isFinite)
}
