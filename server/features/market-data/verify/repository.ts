// The SQL of the candle check: stored series, and the last report.
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { verifyReportSchema, type VerifyReport } from '#shared/market-data/verify-report.ts'

export interface StoredSeries {
  readonly series: string
  readonly source: string
}

/** Every pair of series and source with candles, ordered by name. */
export async function readStoredSeries(db: Db): Promise<StoredSeries[]> {
  // Skip scan along the primary key instead of reading every candle.
  const { rows } = await sql<StoredSeries>`
    with recursive pairs as (
      (select series, source from candles order by series, source limit 1)
      union all
      select next.series, next.source from pairs, lateral (
        select candles.series, candles.source from candles
        where (candles.series, candles.source) > (pairs.series, pairs.source)
        order by candles.series, candles.source limit 1
      ) as next
    )
    select series, source from pairs order by series, source`.execute(db)
  return rows
}

/** The last report; null if there is none, or if a newer version wrote it. */
export async function readVerifyReport(db: Db): Promise<VerifyReport | null> {
  const row = await db.selectFrom('candle_verification').select('report').executeTakeFirst()
  return verifyReportSchema.safeParse(row?.report).data ?? null
}

/** Replaces the last report. */
export async function writeVerifyReport(db: Db, report: VerifyReport): Promise<void> {
  const change = { report: JSON.stringify(report) }
  await db
    .insertInto('candle_verification')
    .values({ id: 1, ...change })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(change))
    .execute()
}
