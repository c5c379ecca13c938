// The RejectedRows of a database.
import { sql } from 'kysely'
import { candleIssues, type CandleIssue } from '#shared/candles/candle-issue.ts'
import type { RejectedRowsReport } from '#shared/market-admin/contract.ts'
import type { Db } from '#server/db/database.ts'
import { missingCandlesMax, type MissingCandles } from '#shared/chart/missing-candles.ts'
import { historySteps, sourceNames, stepMs } from '../feed.ts'
import { sourceTitles } from '../licences.ts'
import type { CandleKey } from './candle-store.ts'
import { rejectedSpansMax, spansOfAnswer, type RejectedRows, type RejectedSpan } from './rejected-rows.ts'

/** Keys in a report: every series of every source and step has fewer. */
const reportedMax = 500

/** `now` (epoch milliseconds) dates the answers. */
export function databaseRejectedRows({ db, now }: { readonly db: Db; readonly now: () => number }): RejectedRows {
  return {
    list: (key) => readSpans(db, key),
    async note(key, asked, rows) {
      const { series, source, step } = key
      if (rows.length === 0 && !(await hasAny(db, key))) return []
      return await db.transaction().execute(async (transaction) => {
        const known = await readSpans(transaction, key)
        const found = spansOfAnswer(known, rows, now())
        const isOutside = ({ fromMs, toMs }: RejectedSpan): boolean => fromMs >= asked.toMs || toMs <= asked.fromMs
        const all = [...known.filter(isOutside), ...found].toSorted((one, other) => one.fromMs - other.fromMs).slice(-rejectedSpansMax)
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
        return found.filter(({ isSettled }) => isSettled)
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

async function hasAny(db: Db, { series, source, step }: CandleKey): Promise<boolean> {
  const row = await db
    .selectFrom('rejected_rows')
    .select('from_ms')
    .where('series', '=', series)
    .where('source', '=', source)
    .where('step', '=', step)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
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
