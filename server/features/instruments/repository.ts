// The SQL of the instrument settings.
import type { Selectable } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { InstrumentSettingsTable } from '#server/db/tables.ts'

export type SettingRow = Selectable<InstrumentSettingsTable>

export type SettingValues = Pick<SettingRow, 'symbol' | 'widget' | 'substitutes' | 'first_chart' | 'is_hidden'>

export function readSettings(db: Db): Promise<SettingRow[]> {
  return db.selectFrom('instrument_settings').selectAll().execute()
}

/** Inserts or replaces the row of version `base`; 0 means none. Returns false on a version conflict. */
export async function writeSetting(db: Db, slug: string, base: number, values: SettingValues, at: Date): Promise<boolean> {
  const row = {
    ...values,
    substitutes: values.substitutes === null ? null : JSON.stringify(values.substitutes),
    version: base + 1,
    updated_at: at,
  }
  if (base === 0) {
    const inserted = db
      .insertInto('instrument_settings')
      .values({ slug, ...row })
      .onConflict((conflict) => conflict.column('slug').doNothing())
    return (await inserted.returning('slug').executeTakeFirst()) !== undefined
  }
  const updated = db.updateTable('instrument_settings').set(row).where('slug', '=', slug).where('version', '=', base)
  return (await updated.returning('slug').executeTakeFirst()) !== undefined
}
