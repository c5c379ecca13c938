// The RejectedRows of a database.
import { candleIssues } from '#shared/candles/check-candle.ts'
import type { Db } from '#server/db/database.ts'
import type { CandleKey } from './candle-store.ts'
import { rejectedSpansMax, spansOfAnswer, type RejectedRows, type RejectedSpan } from './rejected-rows.ts'

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
    issue: candleIssues.find((known) => known === issue) ?? 'not-a-number',
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
