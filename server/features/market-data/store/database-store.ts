// Stored candles in the database: appended in large batches, corrections as newer revisions, the latest one read.
import { sql } from 'kysely'
import type { Candle } from '#shared/candles/candle.ts'
import type { Db, Replica } from '#server/db/database.ts'
import { sortUnique, spansOfCandles, type CandleKey, type CandleSpan, type CandleStore } from './candle-store.ts'
import type { Coverage } from '../coverage.ts'
import { addSpan, type TimeSpan } from '#shared/base/time-span.ts'
import { findCandleIssue } from '#shared/candles/candle-issue.ts'
import { historySteps, stepMs, type FeedLog } from '../feed.ts'

/** Rows per statement: enough to amortise round trips, few enough to keep locks short. */
const batchMax = 5_000

/** Upper bound of an unbounded range. */
const stampMax = Number.MAX_SAFE_INTEGER

interface StoredRow {
  readonly stamp: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number | null
  readonly taker_buy_volume: number | null
}

/** Shorter ranges cost the primary less than asking a replica. */
const replicaCandlesMin = 1_000

export interface DatabaseStoreOptions {
  readonly db: Db
  /** Dates the rows, epoch milliseconds. */
  readonly now: () => number
  /** Serves long ranges. */
  readonly replica?: Pick<Replica, 'read'> | undefined
  readonly log?: FeedLog
}

/** The CandleStore of a database. */
export function databaseStore(options: DatabaseStoreOptions): CandleStore {
  const { db, now, replica, log } = options
  return {
    async append(key, candles, covered = spansOfCandles(key.step, candles)) {
      const sound = candles.filter((candle) => findCandleIssue(candle, Infinity, 1) === null)
      // Every path has checked its rows before: this must not cost the others of a batch.
      if (sound.length < candles.length) log?.('invalid candles are not stored', { ...key, count: candles.length - sound.length })
      const ascending = sortUnique(sound)
      for (let from = 0; from < ascending.length; from += batchMax) {
        await appendBatch(options, key, ascending.slice(from, from + batchMax))
      }
      // Last, so that an interrupted append covers nothing.
      if (covered.length > 0) await cover(db, key, covered)
    },
    range: (key, span) =>
      replica === undefined || candlesMax(key, span, now()) < replicaCandlesMin
        ? readRange(db, key, span)
        : replica.read((on) => readRange(on, key, span)),
    async bounds(key) {
      const { rows } = await sql<{ first: number | null; last: number | null }>`
        select min(time)::float8 as first, max(time)::float8 as last from candles
        where series = ${key.series} and source = ${key.source} and step = ${key.step}`.execute(db)
      const { first = null, last = null } = rows[0] ?? {}
      return first === null || last === null ? undefined : { firstMs: first, lastMs: last }
    },
    async coverage({ series, source }) {
      const { rows } = await sql<{ step: string; from: number; to: number }>`
        select step, from_ms::float8 as from, to_ms::float8 as to from candle_coverage
        where series = ${series} and source = ${source} order by from_ms`.execute(db)
      const found: Partial<Record<(typeof historySteps)[number], TimeSpan[]>> = {}
      for (const step of historySteps) {
        const spans = rows.filter((row) => row.step === step).map(({ from, to }) => ({ fromMs: from, toMs: to }))
        if (spans.length > 0) found[step] = spans
      }
      return found satisfies Coverage
    },
  }
}

async function readRange(db: Db, key: CandleKey, { fromMs, toMs, limit, storedSinceMs }: CandleSpan): Promise<Candle[]> {
  const { rows } = await sql<StoredRow>`
    select distinct on (time) time::float8 as stamp, open, high, low, close, volume, taker_buy_volume
    from candles
    where series = ${key.series} and source = ${key.source} and step = ${key.step}
      and time >= ${wholeMs(fromMs)}::bigint and time < ${wholeMs(toMs)}::bigint
      ${storedSinceMs === undefined ? sql`` : sql`and stored_at >= ${new Date(storedSinceMs)}`}
    order by time desc, revision desc
    ${limit === undefined ? sql`` : sql`limit ${limit}::int`}`.execute(db)
  return rows.map(toCandle).toReversed()
}

/** As many as a range can have. */
function candlesMax({ step }: CandleKey, { fromMs, toMs, limit = Infinity }: CandleSpan, nowMs: number): number {
  return Math.min(limit, (Math.min(toMs, nowMs) - fromMs) / stepMs[step])
}

/** Merges spans with the stored ones that they overlap or touch. */
async function cover(db: Db, { series, source, step }: CandleKey, covered: readonly TimeSpan[]): Promise<void> {
  const added = covered
    .map(({ fromMs, toMs }) => ({ fromMs: wholeMs(fromMs), toMs: wholeMs(toMs) }))
    .filter(({ fromMs, toMs }) => fromMs < toMs)
  if (added.length === 0) return
  const fromMs = Math.min(...added.map((span) => span.fromMs))
  const toMs = Math.max(...added.map((span) => span.toMs))
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`candles ${series} ${source} ${step}`}, 0))`.execute(transaction)
    const { rows } = await sql<{ from: number; to: number }>`
      delete from candle_coverage
      where series = ${series} and source = ${source} and step = ${step}
        and from_ms <= ${toMs}::bigint and to_ms >= ${fromMs}::bigint
      returning from_ms::float8 as from, to_ms::float8 as to`.execute(transaction)
    const spans = rows.map(({ from, to }) => ({ fromMs: from, toMs: to })).toSorted((one, other) => one.fromMs - other.fromMs)
    const merged = added.reduce(addSpan, spans)
    await sql`
      insert into candle_coverage (series, source, step, from_ms, to_ms)
      select ${series}, ${source}, ${step}, new.from_ms, new.to_ms
      from unnest(${merged.map((span) => span.fromMs)}::bigint[], ${merged.map((span) => span.toMs)}::bigint[])
        as new (from_ms, to_ms)`.execute(transaction)
  })
}

async function appendBatch({ db, now }: { db: Db; now: () => number }, key: CandleKey, candles: readonly Candle[]): Promise<void> {
  const { series, source, step } = key
  const column = (pick: (candle: Candle) => number | null) => sql`${candles.map(pick)}::float8[]`
  await db.transaction().execute(async (transaction) => {
    // A statement sees what was committed before it started, so the lock must be a separate statement.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`candles ${series} ${source} ${step}`}, 0))`.execute(transaction)
    await sql`
      insert into candles (series, source, step, time, revision, open, high, low, close, volume, taker_buy_volume, stored_at)
      select ${series}, ${source}, ${step}, new.time, coalesce(known.revision + 1, 0),
        new.open, new.high, new.low, new.close, new.volume, new.taker_buy_volume, ${new Date(now())}
      from unnest(${candles.map(({ timeMs }) => timeMs)}::bigint[], ${column(({ open }) => open)}, ${column(({ high }) => high)},
        ${column(({ low }) => low)}, ${column(({ close }) => close)}, ${column(({ volume }) => volume)},
        ${column(({ takerBuyVolume }) => takerBuyVolume)}) as new (time, open, high, low, close, volume, taker_buy_volume)
      left join lateral (
        select * from candles
        where series = ${series} and source = ${source} and step = ${step} and candles.time = new.time
        order by revision desc limit 1
      ) as known on true
      where known.revision is null
        or (known.open, known.high, known.low, known.close) <> (new.open, new.high, new.low, new.close)
        or ${isOther('volume')}
        or (new.taker_buy_volume is not null and ${isOther('taker_buy_volume')})`.execute(transaction)
  })
}

/** The SQL equivalent of `correctsNothing` for a volume column. */
function isOther(column: 'volume' | 'taker_buy_volume') {
  const [one, other] = [sql.ref(`known.${column}`), sql.ref(`new.${column}`)]
  return sql`((${one} is null) <> (${other} is null) or abs(${one} - ${other}) > 1e-9 * greatest(${one}, ${other}))`
}

function wholeMs(ms: number): number {
  return Math.ceil(Math.max(-stampMax, Math.min(stampMax, ms)))
}

function toCandle(row: StoredRow): Candle {
  const { stamp, open, high, low, close, volume, taker_buy_volume } = row
  return { timeMs: stamp, open, high, low, close, volume, takerBuyVolume: taker_buy_volume }
}
