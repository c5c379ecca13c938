// The one check of every row of every source: normalises what is valid, and reports what is not.
import { minuteMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { findCandleIssue, type CandleIssue } from '#shared/candles/candle-issue.ts'
import { checkRows } from '#shared/candles/jump-guard.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { FeedError, stepMs, type HistoryRequest, type HistoryStep, type RejectedRow } from '../feed.ts'
import { stepEndMs } from '../coverage.ts'
import { sortUnique } from '../store/candle-store.ts'

export interface RowsAt {
  /** Epoch milliseconds: later candles are still forming. */
  readonly nowMs: number
  /** Trading hours of the symbol, if they decide when its candles start and end. */
  readonly sessionClass: SessionClass | null
}

/**
 * Normalises ascending rows of one or several responses as `Feed.history` requires: ascending, unique timestamps (the last row
 * wins), only within the requested range, none that is still forming, no invalid one, and none with an absurd price
 * that the others do not confirm. Those that leave a hole are reported to the request.
 * @throws FeedError `malformed` if no row has a readable time: the format has changed
 */
export function orderlyCandles(rows: readonly Candle[], request: HistoryRequest, at: RowsAt): Candle[] {
  if (rows.length > 1 && rows.every(({ timeMs }) => Number.isNaN(timeMs))) throw new FeedError('malformed', 'no row can be read')
  const gridMs = gridMsOf(request.step, at.sessionClass)
  const sound = rows.filter((row) => findCandleIssue(row, at.nowMs, gridMs) === null)
  const { confirmed } = checkRows(sortUnique(sound), { isCoarse: true })
  const plausible = new Set(confirmed.map(({ timeMs }) => timeMs))
  const checked = rows.map((row) => ({ row, issue: findCandleIssue(row, at.nowMs, gridMs) ?? (plausible.has(row.timeMs) ? null : 'jump') }))
  const isExpected = (timeMs: number): boolean =>
    timeMs >= request.fromMs && timeMs < request.toMs && stepEndMs(request.step, timeMs, at.sessionClass) <= at.nowMs
  const candles = confirmed.filter(({ timeMs }) => isExpected(timeMs))
  const rejected = checked.some(({ issue }) => issue !== null) ? holesOf(checked, request, at) : []
  const known = new Set(candles.map(({ timeMs }) => timeMs))
  const missing = rejected.filter(({ span }) => isExpected(span.fromMs) && !known.has(span.fromMs))
  if (missing.length > 0) request.onRejected?.(missing)
  return candles
}

/** Distance of timestamps: candles of an hour start at a quarter past where an exchange opens then. */
export function gridMsOf(step: HistoryStep, sessionClass: SessionClass | null): number {
  return step === '1D' || sessionClass === null ? stepMs[step] : Math.min(stepMs[step], 15 * minuteMs)
}

interface CheckedRow {
  readonly row: Candle
  readonly issue: CandleIssue | null
}

/** The holes of invalid rows, ascending and disjoint: a row without a usable timestamp was between its neighbours. */
function holesOf(checked: readonly CheckedRow[], request: HistoryRequest, at: RowsAt): RejectedRow[] {
  const widthMs = stepMs[request.step]
  const stamps = checked.map(({ row, issue }) => (isUsable(issue, row, request, at) ? row.timeMs : undefined))
  const [firstMs, lastMs] = [request.fromMs - widthMs, Math.min(request.toMs, at.nowMs)]
  const after = followers(stamps)
  let before: number | undefined
  const found = checked.flatMap(({ row, issue }, index): RejectedRow[] => {
    before = stamps[index] ?? before
    if (issue === null) return []
    const { timeMs, open, high, low, close, volume, takerBuyVolume } = row
    const answer = [timeMs, open, high, low, close, volume, takerBuyVolume].join(' ')
    if (stamps[index] !== undefined) return [{ span: { fromMs: timeMs, toMs: timeMs + widthMs }, issue, answer }]
    const span = { fromMs: Math.max((before ?? firstMs) + widthMs, request.fromMs), toMs: Math.min(after[index] ?? lastMs, lastMs) }
    return [{ span, issue, answer }]
  })
  return disjoint(found.filter(({ span }) => span.fromMs < span.toMs))
}

/** The next known timestamp after each row. */
function followers(stamps: readonly (number | undefined)[]): readonly (number | undefined)[] {
  let next: number | undefined
  return stamps
    .toReversed()
    .map((stamp) => {
      const follower = next
      next = stamp ?? next
      return follower
    })
    .toReversed()
}

/** Whether the timestamp of a row says which candle it was meant to be. */
function isUsable(issue: CandleIssue | null, row: Candle, { step }: HistoryRequest, { nowMs, sessionClass }: RowsAt): boolean {
  if (issue === null) return true
  const soundMs = { ...row, open: 1, high: 1, low: 1, close: 1, volume: null, takerBuyVolume: null }
  return findCandleIssue(soundMs, nowMs, gridMsOf(step, sessionClass)) === null
}

function disjoint(rows: readonly RejectedRow[]): RejectedRow[] {
  let reachedMs = -Infinity
  return rows
    .toSorted((one, other) => one.span.fromMs - other.span.fromMs)
    .flatMap((row) => {
      const span: TimeSpan = { fromMs: Math.max(row.span.fromMs, reachedMs), toMs: row.span.toMs }
      if (span.fromMs >= span.toMs) return []
      reachedMs = span.toMs
      return [{ ...row, span }]
    })
}
