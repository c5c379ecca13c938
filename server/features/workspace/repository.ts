// The SQL of workspaces and drawings: a save replaces exactly the version that it is based on.
import { InsertResult, type UpdateResult } from 'kysely'
import type { Db } from '#server/db/database.ts'

export interface StoredVersion {
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

const unsaved: StoredVersion = { version: 0, value: null }

export async function readWorkspaceRow(db: Db, userId: string): Promise<StoredVersion> {
  const row = await db.selectFrom('workspaces').select(['version', 'content as value']).where('user_id', '=', userId).executeTakeFirst()
  return row ?? unsaved
}

/** Returns false on a version conflict. */
export async function writeWorkspaceRow(db: Db, userId: string, { version, json, at }: Save): Promise<boolean> {
  const row = { content: json, updated_at: at, version: version + 1 }
  if (version === 0) {
    const inserted = db.insertInto('workspaces').values({ user_id: userId, ...row })
    return isWritten(inserted.onConflict((conflict) => conflict.column('user_id').doNothing()))
  }
  return isWritten(db.updateTable('workspaces').set(row).where('user_id', '=', userId).where('version', '=', version))
}

/** The owner of drawings, and the series they belong to. */
export interface DrawingsKey {
  readonly userId: string
  readonly series: string
}

export async function readDrawingsRow(db: Db, { userId, series }: DrawingsKey): Promise<StoredVersion> {
  const rows = db.selectFrom('drawings').select(['version', 'items as value']).where('user_id', '=', userId)
  return (await rows.where('series', '=', series).executeTakeFirst()) ?? unsaved
}

/** Returns false on a version conflict. */
export async function writeDrawingsRow(db: Db, { userId, series }: DrawingsKey, { version, json, at }: Save): Promise<boolean> {
  const row = { items: json, updated_at: at, version: version + 1 }
  if (version === 0) {
    const inserted = db.insertInto('drawings').values({ user_id: userId, series, ...row })
    return isWritten(inserted.onConflict((conflict) => conflict.columns(['user_id', 'series']).doNothing()))
  }
  const updated = db.updateTable('drawings').set(row).where('user_id', '=', userId).where('series', '=', series)
  return isWritten(updated.where('version', '=', version))
}

/** Whether a statement has changed its row. */
async function isWritten(query: { executeTakeFirstOrThrow(): Promise<InsertResult | UpdateResult> }): Promise<boolean> {
  const result = await query.executeTakeFirstOrThrow()
  return (result instanceof InsertResult ? result.numInsertedOrUpdatedRows : result.numUpdatedRows) === 1n
}
