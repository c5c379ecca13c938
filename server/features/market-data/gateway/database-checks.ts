// The AdjustmentChecks of a database.
import type { Db } from '#server/db/database.ts'
import type { AdjustmentChecks } from '../store/candle-store.ts'

/** `now` (epoch milliseconds) dates the rows. */
export function databaseChecks({ db, now }: { readonly db: Db; readonly now: () => number }): AdjustmentChecks {
  return {
    async checkedFor({ series, source, step }) {
      const row = await db
        .selectFrom('adjustment_checks')
        .select('actions')
        .where('series', '=', series)
        .where('source', '=', source)
        .where('step', '=', step)
        .executeTakeFirst()
      return row?.actions
    },
    async setChecked({ series, source, step }, actions) {
      const change = { actions, checked_at: new Date(now()) }
      await db
        .insertInto('adjustment_checks')
        .values({ series, source, step, ...change })
        .onConflict((conflict) => conflict.columns(['series', 'source', 'step']).doUpdateSet(change))
        .execute()
    },
  }
}
