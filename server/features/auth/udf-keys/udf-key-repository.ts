// The SQL of UDF keys.
import type { Db } from '#server/db/database.ts'
import { ownUserColumns } from '#server/features/users/user-presenter.ts'

export interface NewUdfKey {
  readonly user_id: string
  readonly name: string
  readonly key_hash: Buffer
  readonly prefix: string
  readonly created_at: Date
}

/** Queries on one database or transaction; all times come from the caller. */
export function udfKeyRepository(db: Db) {
  return {
    /** Serializes creations of one account, so that the maximum holds. */
    lockAccount: (id: string) =>
      db.selectFrom('users').select(['id', 'name', 'email', 'email_confirmed_at']).where('id', '=', id).forUpdate().executeTakeFirst(),

    /** Whether a session is still active. */
    isLive: async (sessionId: string) =>
      (await db.selectFrom('sessions').select('id').where('id', '=', sessionId).where('ended_at', 'is', null).executeTakeFirst()) !==
      undefined,

    keysOf: (userId: string) =>
      db
        .selectFrom('udf_keys')
        .select(['id', 'name', 'prefix', 'created_at', 'last_used_at'])
        .where('user_id', '=', userId)
        .orderBy('created_at')
        .orderBy('id')
        .execute(),

    insert: (key: NewUdfKey) => db.insertInto('udf_keys').values(key).returning('id').executeTakeFirstOrThrow(),

    /** The deleted key, or undefined if the user has no key with this id. */
    delete: (userId: string, id: string) =>
      db.deleteFrom('udf_keys').where('user_id', '=', userId).where('id', '=', id).returning(['name', 'prefix']).executeTakeFirst(),

    /** A key with its current owner. */
    findOwner: (keyHash: Buffer) =>
      db
        .selectFrom('udf_keys')
        .innerJoin('users', 'users.id', 'udf_keys.user_id')
        .select([...ownUserColumns, 'udf_keys.id as key_id', 'udf_keys.last_used_at'])
        .where('key_hash', '=', keyHash)
        .executeTakeFirst(),

    markUsed: (id: string, at: Date) => db.updateTable('udf_keys').set({ last_used_at: at }).where('id', '=', id).execute(),
  }
}
