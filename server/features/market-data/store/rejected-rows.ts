// The port to rows that a source returned and that cannot be candles: unknown time that is requested again, until it is settled.
import { hash } from 'node:crypto'
import { dayMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { CandleIssue } from '#shared/candles/candle-issue.ts'
import type { RejectedRow } from '../feed.ts'
import { nameOfKey } from './candle-key.ts'
import type { CandleKey } from './candle-store.ts'

/** Timestamps of adjacent rejected rows. */
export interface RejectedSpan extends TimeSpan {
  readonly issue: CandleIssue
  /** Equal for equal rows. */
  readonly answer: string
  /** How often it was the answer, at most once a day. */
  readonly answers: number
  /** When the last of them was counted, epoch milliseconds. */
  readonly countedMs: number
  /** The source has nothing better: it counts as covered. */
  readonly isSettled: boolean
}

export interface RejectedRows {
  /** The rejected spans of a key, ascending and disjoint. */
  list(key: CandleKey): Promise<readonly RejectedSpan[]>
  /** Replaces what is known of a requested span by its latest answer; resolves to the settled spans of the answer. */
  note(key: CandleKey, asked: TimeSpan, rows: readonly RejectedRow[]): Promise<readonly TimeSpan[]>
}

/** Equal answers, on different days, after which a span is settled. */
const answersMax = 3
/** A span is requested again at most once in this time. */
const askAgainMs = dayMs
/** Spans kept of one key; older ones are forgotten, and requested like any other hole. */
export const rejectedSpansMax = 1_000
/** Spans kept in memory of all keys; the key that was answered longest ago is forgotten. */
export const memorySpansMax = 5_000

/** Whether a span may be requested again. */
export function isDue({ countedMs, isSettled }: RejectedSpan, nowMs: number): boolean {
  return !isSettled && nowMs - countedMs >= askAgainMs
}

/**
 * The spans of an answer, each with how often it was given before. The same row may leave a hole with other edges: one
 * without a time reaches to its neighbours, and to the ends of the request.
 */
export function spansOfAnswer(known: readonly RejectedSpan[], rows: readonly RejectedRow[], nowMs: number): RejectedSpan[] {
  return adjacent(rows).map(({ span, issue, answer }) => {
    const before = known.find((one) => one.answer === answer && one.fromMs < span.toMs && one.toMs > span.fromMs)
    if (before === undefined) return { ...span, issue, answer, answers: 1, countedMs: nowMs, isSettled: false }
    if (!isDue(before, nowMs)) return isSameSpan(before, span) ? before : { ...before, ...span }
    const answers = before.answers + 1
    return { ...before, ...span, answers, countedMs: nowMs, isSettled: answers >= answersMax }
  })
}

function isSameSpan(one: TimeSpan, other: TimeSpan): boolean {
  return one.fromMs === other.fromMs && one.toMs === other.toMs
}

/** Joins neighbours with the same issue, so that a source which is wrong for days leaves few spans. */
function adjacent(rows: readonly RejectedRow[]): RejectedRow[] {
  const joined: RejectedRow[] = []
  for (const row of rows) {
    const last = joined.at(-1)
    if (last === undefined || last.span.toMs !== row.span.fromMs || last.issue !== row.issue) joined.push(row)
    else
      joined[joined.length - 1] = {
        ...last,
        span: { fromMs: last.span.fromMs, toMs: row.span.toMs },
        answer: `${last.answer};${row.answer}`,
      }
  }
  return joined.map((row) => ({ ...row, answer: hash('sha256', row.answer, 'base64url') }))
}

/** In memory, for prices that are never stored. `now` is in epoch milliseconds. */
export function memoryRejectedRows(now: () => number): RejectedRows {
  const kept = new Map<string, readonly RejectedSpan[]>()
  let spans = 0
  return {
    list: (key) => Promise.resolve(kept.get(nameOfKey(key)) ?? []),
    note(key, asked, rows) {
      const known = kept.get(nameOfKey(key)) ?? []
      const found = spansOfAnswer(known, rows, now())
      const others = known.filter(({ fromMs, toMs }) => fromMs >= asked.toMs || toMs <= asked.fromMs)
      const all = [...others, ...found].toSorted((one, other) => one.fromMs - other.fromMs).slice(-rejectedSpansMax)
      kept.delete(nameOfKey(key))
      if (all.length > 0) kept.set(nameOfKey(key), all)
      spans += all.length - known.length
      for (const [name, one] of kept) {
        if (spans <= memorySpansMax) break
        kept.delete(name)
        spans -= one.length
      }
      return Promise.resolve(found.filter(({ isSettled }) => isSettled))
    },
  }
}
