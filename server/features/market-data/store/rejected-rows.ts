// Rows that a source returned and that cannot be candles: unknown time that is requested again, until it is settled.
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { dayMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import { candleIssues, type CandleIssue } from '#shared/candles/candle-issue.ts'
import { missingCandlesMax, type MissingCandles } from '#shared/chart/missing-candles.ts'
import type { RejectedRowsReport } from '#shared/market-admin/contract.ts'
import { historySteps, sourceNames, stepMs, type RejectedRow } from '../feed.ts'
import { sourceTitles } from '../licences.ts'
import { nameOfKey, type CandleKey } from './candle-store.ts'

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
  note(key: CandleKey, requested: TimeSpan, rows: readonly RejectedRow[]): Promise<readonly TimeSpan[]>
}

/** Equal answers, on different days, after which a span is settled. */
const answersMax = 3
/** A span is requested again at most once in this time. */
const retryMs = dayMs
/** Spans kept of one key; older ones are forgotten, and requested like any other hole. */
export const rejectedSpansMax = 1_000
/** Spans kept in memory of all keys; the key that was answered longest ago is forgotten. */
export const memorySpansMax = 5_000

/** Keys in a report: every series of every source and step has fewer. */
const reportedMax = 500

/** Whether a span may be requested again. */
export function isDue({ countedMs, isSettled }: RejectedSpan, nowMs: number): boolean {
  return !isSettled && nowMs - countedMs >= retryMs
}

/**
 * The spans of an answer, each with how often it was given before. The same row may leave a hole with other edges: one
 * without a time reaches to its neighbours, and to the ends of the request.
 */
function spansOfResponse(known: readonly RejectedSpan[], rows: readonly RejectedRow[], nowMs: number): RejectedSpan[] {
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

/** What is known of a key after a response about a requested span, and the spans of the response. */
function afterResponse(known: readonly RejectedSpan[], requested: TimeSpan, rows: readonly RejectedRow[], nowMs: number) {
  const found = spansOfResponse(known, rows, nowMs)
  const others = known.filter(({ fromMs, toMs }) => fromMs >= requested.toMs || toMs <= requested.fromMs)
  const all = [...others, ...found].toSorted((one, other) => one.fromMs - other.fromMs).slice(-rejectedSpansMax)
  return { all, settled: found.filter(({ isSettled }) => isSettled) }
}

/** In memory, for prices that are never stored. `now` is in epoch milliseconds. */
export function memoryRejectedRows(now: () => number): RejectedRows {
  const cached = new Map<string, readonly RejectedSpan[]>()
  let spans = 0
  return {
    list: (key) => Promise.resolve(cached.get(nameOfKey(key)) ?? []),
    note(key, requested, rows) {
      const known = cached.get(nameOfKey(key)) ?? []
      const { all, settled } = afterResponse(known, requested, rows, now())
      cached.delete(nameOfKey(key))
      if (all.length > 0) cached.set(nameOfKey(key), all)
      spans += all.length - known.length
      for (const [name, one] of cached) {
        if (spans <= memorySpansMax) break
        cached.delete(name)
        spans -= one.length
      }
      return Promise.resolve(settled)
    },
  }
}

/** In the database; `now` (epoch milliseconds) dates the answers. */
export function databaseRejectedRows({ db, now }: { readonly db: Db; readonly now: () => number }): RejectedRows {
  return {
    list: (key) => readSpans(db, key),
    async note(key, requested, rows) {
      const { series, source, step } = key
      if (rows.length === 0 && (await readSpans(db, key)).length === 0) return []
      return await db.transaction().execute(async (transaction) => {
        const known = await readSpans(transaction, key)
        const { all, settled } = afterResponse(known, requested, rows, now())
        const left = new Set(all)
        const removed = known.filter((span) => !left.has(span)).map(({ fromMs }) => String(fromMs))
        if (removed.length > 0)
          await transaction
            .deleteFrom('rejected_rows')
            .where('series', '=', series)
            .where('source', '=', source)
            .where('step', '=', step)
            .where('from_ms', 'in', removed)
            .execute()
        const added = all.filter((span) => !known.includes(span)).map((span) => rowOf(key, span))
        // Another process may have asked as well.
        if (added.length > 0)
          await transaction
            .insertInto('rejected_rows')
            .values(added)
            .onConflict((conflict) => conflict.columns(['series', 'source', 'step', 'from_ms']).doNothing())
            .execute()
        return settled
      })
    },
  }
}

/** Series and sources with rejected rows or messages, the latest first. */
export async function readRejectedRows(db: Db): Promise<RejectedRowsReport[]> {
  const reports = new Map((await readRows(db)).map((report) => [nameOf(report), report]))
  const messages = await db.selectFrom('rejected_messages').selectAll().orderBy('rejected_at', 'desc').limit(reportedMax).execute()
  for (const { series, source, is_own: isOwn, count, issue, rejected_at: at } of messages) {
    const message = {
      series,
      source,
      isOwn,
      leftOut: Number(count),
      waiting: 0,
      settled: 0,
      issue: issueOf(issue),
      answeredMs: at.getTime(),
    }
    const before = reports.get(nameOf(message)) ?? message
    const { answeredMs, issue: last } = before.answeredMs > message.answeredMs ? before : message
    reports.set(nameOf(message), { ...before, leftOut: message.leftOut, issue: last, answeredMs })
  }
  return [...reports.values()].toSorted((one, other) => other.answeredMs - one.answeredMs)
}

function nameOf({ series, source, isOwn }: Pick<RejectedRowsReport, 'series' | 'source' | 'isOwn'>): string {
  return `${series} ${source} ${isOwn}`
}

async function readRows(db: Db): Promise<RejectedRowsReport[]> {
  const { rows } = await sql<{ series: string; source: string; step: string; waiting: number; settled: number; issue: string; at: Date }>`
    select series, source, step,
      coalesce(sum(to_ms - from_ms) filter (where not is_settled), 0)::float8 as waiting,
      coalesce(sum(to_ms - from_ms) filter (where is_settled), 0)::float8 as settled,
      (array_agg(issue order by counted_at desc, from_ms desc))[1] as issue, max(counted_at) as at
    from rejected_rows group by series, source, step order by at desc, series, source limit ${reportedMax}`.execute(db)
  const reports = new Map<string, RejectedRowsReport>()
  for (const { series, source, step, waiting, settled, issue, at } of rows) {
    const name = `${series} ${source}`
    const widthMs = stepMs[historySteps.find((known) => known === step) ?? '1m']
    const none = { isOwn: false, leftOut: 0, waiting: 0, settled: 0 }
    const before = reports.get(name) ?? { series, source, ...none, issue: issueOf(issue), answeredMs: at.getTime() }
    const counts = { waiting: before.waiting + Math.ceil(waiting / widthMs), settled: before.settled + Math.ceil(settled / widthMs) }
    reports.set(name, { ...before, ...counts })
  }
  return [...reports.values()]
}

/** The newest settled spans of a series, of all sources. */
export async function readSettledRows(db: Db, series: string): Promise<MissingCandles[]> {
  const rows = await db
    .selectFrom('rejected_rows')
    .select(['source', 'step', 'from_ms'])
    .where('series', '=', series)
    .where('is_settled', '=', true)
    .orderBy('from_ms', 'desc')
    .limit(missingCandlesMax)
    .execute()
  return rows.map(({ source, step, from_ms: fromMs }) => ({
    source: sourceTitles[sourceNames.find((known) => known === source) ?? 'demo'],
    fromMs: Number(fromMs),
    stepMs: stepMs[historySteps.find((known) => known === step) ?? '1m'],
  }))
}

function issueOf(text: string): CandleIssue {
  return candleIssues.find((known) => known === text) ?? 'not-a-number'
}

async function readSpans(db: Db, { series, source, step }: CandleKey): Promise<RejectedSpan[]> {
  const rows = await db
    .selectFrom('rejected_rows')
    .selectAll()
    .where('series', '=', series)
    .where('source', '=', source)
    .where('step', '=', step)
    .orderBy('from_ms')
    .execute()
  return rows.map(({ from_ms: from, to_ms: to, issue, answer, answers, counted_at: counted, is_settled: isSettled }) => ({
    fromMs: Number(from),
    toMs: Number(to),
    issue: issueOf(issue),
    answer,
    answers,
    countedMs: counted.getTime(),
    isSettled,
  }))
}

function rowOf({ series, source, step }: CandleKey, span: RejectedSpan) {
  const { fromMs, toMs, issue, answer, answers, countedMs, isSettled } = span
  return {
    series,
    source,
    step,
    from_ms: String(Math.round(fromMs)),
    to_ms: String(Math.round(toMs)),
    issue,
    answer,
    answers,
    counted_at: new Date(countedMs),
    is_settled: isSettled,
  }
}
