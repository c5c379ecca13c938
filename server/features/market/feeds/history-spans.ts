// What the histories of several sources have in common: a long wish becomes calls, and rows become an orderly list.
import type { Candle } from '#shared/market/candles/candle.ts'
import { bucketOf } from '#shared/market/sessions/bucket.ts'
import { calendarOf } from '#shared/market/sessions/calendar.ts'
import type { SessionClass } from '#shared/market/sessions/session-class.ts'
import { stepMs, type HistoryRequest, type HistoryStep } from '../feed.ts'

export interface TimeSpan {
  readonly fromMs: number
  /** The first instant that is not in it any more. */
  readonly toMs: number
}

/** Splits [fromMs, toMs) into spans of at most `spanMs`, ascending; none where there is nothing between. */
export function historySpans(span: TimeSpan, spanMs: number): TimeSpan[] {
  const spans: TimeSpan[] = []
  for (let fromMs = span.fromMs; fromMs < span.toMs; fromMs += spanMs) {
    spans.push({ fromMs, toMs: Math.min(span.toMs, fromMs + spanMs) })
  }
  return spans
}

/**
 * So long after the last trade the day of an exchange is not taken from a source: its official close is worked out only then (of an
 * index from the closes of its shares), and a day that is stored is not asked for again. Until then minutes make the day.
 */
const settlesMs: Readonly<Partial<Record<SessionClass, number>>> = {
  'nse-equity': 3 * stepMs['1h'],
  'nse-index': 3 * stepMs['1h'],
  'bse-index': 3 * stepMs['1h'],
}

/** When a candle of a step is over and final, epoch milliseconds: by the trading hours where they are known, else by its length. */
export function stepEndMs(step: HistoryStep, timeMs: number, sessionClass: SessionClass | null): number {
  const byLength = timeMs + stepMs[step]
  if (sessionClass === null || step === '1m') return byLength
  if (step === '1h') return bucketOf(sessionClass, '60', timeMs)?.endMs ?? byLength
  const session = calendarOf(sessionClass).sessionOn(new Date(timeMs).toISOString().slice(0, 10))
  return session === null ? byLength : session.closeMs + (settlesMs[sessionClass] ?? 0)
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
