// The SQL of second factors and of sign-ins that wait for one.
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

/** Queries on one database or transaction; all times come from the caller. */
export function factorRepository(db: Db) {
  return {
    /** The account's row, locked until the transaction ends: changes of its factors wait for each other. */
    lockAccount: (id: string) =>
      db
        .selectFrom('users')
        .select(['id', 'name', 'email', 'email_confirmed_at', 'role', 'second_factor_since'])
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst(),

    findIdByEmail: async (email: string) =>
      (
        await db
          .selectFrom('users')
          .select('id')
          .where(sql`lower(email)`, '=', email)
          .executeTakeFirst()
      )?.id,

    setSince: (id: string, since: Date | null) =>
      db.updateTable('users').set({ second_factor_since: since }).where('id', '=', id).execute(),

    findTotp: (userId: string, isPending: boolean) =>
      db
        .selectFrom('totp_secrets')
        .select(['secret', 'created_at', 'last_step'])
        .where('user_id', '=', userId)
        .where('is_pending', '=', isPending)
        .executeTakeFirst(),

    /** Starts a setup; an earlier one that was not finished ends. */
    putPendingTotp: (userId: string, secret: Buffer, at: Date) =>
      db
        .insertInto('totp_secrets')
        .values({ user_id: userId, is_pending: true, secret, created_at: at })
        .onConflict((conflict) => conflict.columns(['user_id', 'is_pending']).doUpdateSet({ secret, created_at: at }))
        .execute(),

    /** The pending app takes the place of the one before; the code of `step` is used up. */
    activateTotp: async (userId: string, step: number, at: Date): Promise<void> => {
      await db.deleteFrom('totp_secrets').where('user_id', '=', userId).where('is_pending', '=', false).execute()
      await db
        .updateTable('totp_secrets')
        .set({ is_pending: false, last_step: step, created_at: at })
        .where('user_id', '=', userId)
        .execute()
    },

    /** True for the first caller with this or a newer step: a code works once. */
    takeStep: async (userId: string, step: number): Promise<boolean> => {
      const rows = await db
        .updateTable('totp_secrets')
        .set({ last_step: step })
        .where('user_id', '=', userId)
        .where('is_pending', '=', false)
        .where('last_step', '<', String(step))
        .returning('user_id')
        .execute()
      return rows.length > 0
    },

    deleteTotp: async (userId: string): Promise<boolean> =>
      (await db.deleteFrom('totp_secrets').where('user_id', '=', userId).returning('is_pending').execute()).some((row) => !row.is_pending),

    countCodes: async (userId: string): Promise<number> => {
      const { count } = await db
        .selectFrom('recovery_codes')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('user_id', '=', userId)
        .where('used_at', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    replaceCodes: async (userId: string, hashes: readonly Buffer[], at: Date): Promise<void> => {
      await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
      if (hashes.length === 0) return
      await db
        .insertInto('recovery_codes')
        .values(hashes.map((code_hash) => ({ user_id: userId, code_hash, created_at: at })))
        .execute()
    },

    /** True for the first caller with this code. */
    takeCode: async (userId: string, hash: Buffer, at: Date): Promise<boolean> => {
      const rows = await db
        .updateTable('recovery_codes')
        .set({ used_at: at })
        .where('user_id', '=', userId)
        .where('code_hash', '=', hash)
        .where('used_at', 'is', null)
        .returning('user_id')
        .execute()
      return rows.length > 0
    },

    /** How many passkeys an account has. */
    countPasskeys: async (userId: string): Promise<number> => {
      const { count } = await db
        .selectFrom('passkeys')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** Removes every factor of an account; it has none afterwards. */
    deleteAll: async (userId: string): Promise<void> => {
      for (const table of ['totp_secrets', 'passkeys', 'passkey_registrations', 'recovery_codes', 'sign_in_challenges'] as const)
        await db.deleteFrom(table).where('user_id', '=', userId).execute()
      await db.updateTable('users').set({ second_factor_since: null }).where('id', '=', userId).execute()
    },

    /** Counts one attempt at an open challenge and gives its account; undefined where it is unknown, over, or tried too often. */
    tryChallenge: async (tokenHash: Buffer, attemptsMax: number, at: Date) =>
      db
        .updateTable('sign_in_challenges')
        .set({ attempts: sql<number>`attempts + 1` })
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', at)
        .where('attempts', '<', attemptsMax)
        .returning(['user_id', 'passkey_challenge'])
        .executeTakeFirst(),

    /** Stores what a passkey has to sign, and gives the attempt back. */
    keepPasskeyChallenge: async (tokenHash: Buffer, challenge: string | null): Promise<void> => {
      await db
        .updateTable('sign_in_challenges')
        .set({ passkey_challenge: challenge, attempts: sql<number>`attempts - 1` })
        .where('token_hash', '=', tokenHash)
        .execute()
    },

    /** True for the caller that ends it. */
    endChallenge: async (tokenHash: Buffer): Promise<boolean> =>
      (await db.deleteFrom('sign_in_challenges').where('token_hash', '=', tokenHash).returning('user_id').execute()).length > 0,
  }
}
