// The SQL of the chart settings.
import { chartFlagNames, chartFlagsSchema, noChartFlags, type ChartFlags } from '#shared/chart/chart-flags.ts'
import type { Db } from '#server/db/database.ts'

/** The six toggles of an account; all off if never saved. */
export async function readChartFlags(db: Db, userId: string): Promise<ChartFlags> {
  const row = await db.selectFrom('chart_settings').select('flags').where('user_id', '=', userId).executeTakeFirst()
  return row === undefined ? noChartFlags : toFlags(row.flags)
}

/** Replaces the six toggles of an account. */
export async function writeChartFlags(db: Db, userId: string, flags: ChartFlags, now: Date): Promise<void> {
  const row = { flags: JSON.stringify(flags), updated_at: now }
  await db
    .insertInto('chart_settings')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
}

/** A flag missing in the row is off; a removed one is ignored. */
function toFlags(stored: Readonly<Record<string, boolean>>): ChartFlags {
  return chartFlagsSchema.parse(Object.fromEntries([...chartFlagNames, 'error_level'].map((name) => [name, stored[name] === true])))
}
