// The SQL of workspaces and drawings: a save replaces exactly the version that it is based on.
import type { Db } from '#server/db/database.ts'

export interface Kept {
  /** 0 if nothing was saved yet. */
  readonly version: number
  /** As stored; null if nothing was. */
  readonly value: unknown
}

/** The metadata of a save. */
export interface Save {
  /** Version that it replaces. */
  readonly version: number
  /** JSON text. */
  readonly json: string
  readonly at: Date
}

const nothing: Kept = { version: 0, value: null }

export async function readWorkspaceRow(db: Db, userId: string): Promise<Kept> {
  const row = await db.selectFrom('workspaces').select(['version', 'content as value']).where('user_id', '=', userId).executeTakeFirst()
  return row ?? nothing
}

/** Returns false on a version conflict. */
export async function writeWorkspaceRow(db: Db, userId: string, { version, json, at }: Save): Promise<boolean> {
  const row = { content: json, updated_at: at, version: version + 1 }
  if (version === 0) {
    const { numInsertedOrUpdatedRows: count } = await db
      .insertInto('workspaces')
      .values({ user_id: userId, ...row })
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .executeTakeFirstOrThrow()
    return count === 1n
  }
  const { numUpdatedRows: count } = await db
    .updateTable('workspaces')
    .set(row)
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return count === 1n
}

/** The owner of drawings, and the series they belong to. */
export interface DrawingsKey {
  readonly userId: string
  readonly series: string
}

export async function readDrawingsRow(db: Db, { userId, series }: DrawingsKey): Promise<Kept> {
  const row = await db
    .selectFrom('drawings')
    .select(['version', 'items as value'])
    .where('user_id', '=', userId)
    .where('series', '=', series)
    .executeTakeFirst()
  return row ?? nothing
}

/** Returns false on a version conflict. */
export async function writeDrawingsRow(db: Db, { userId, series }: DrawingsKey, { version, json, at }: Save): Promise<boolean> {
  const row = { items: json, updated_at: at, version: version + 1 }
  if (version === 0) {
    const { numInsertedOrUpdatedRows: count } = await db
      .insertInto('drawings')
      .values({ user_id: userId, series, ...row })
      .onConflict((conflict) => conflict.columns(['user_id', 'series']).doNothing())
      .executeTakeFirstOrThrow()
    return count === 1n
  }
  const { numUpdatedRows: count } = await db
    .updateTable('drawings')
    .set(row)
    .where('user_id', '=', userId)
    .where('series', '=', series)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return count === 1n
}
