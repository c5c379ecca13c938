// The SQL of second factors and of sign-ins that wait for one.
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'

/** Queries on one database or transaction; all times come from the caller. */
export class FactorRepository {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  setSince(id: string, since: Date) {
    return this.#db.updateTable('users').set({ second_factor_since: since }).where('id', '=', id).execute()
  }

  findTotp(userId: string, isPending: boolean) {
    return this.#db
      .selectFrom('totp_secrets')
      .select(['secret', 'created_at', 'last_step'])
      .where('user_id', '=', userId)
      .where('is_pending', '=', isPending)
      .executeTakeFirst()
  }

  /** Starts a setup; an earlier unfinished one ends. */
  putPendingTotp(userId: string, secret: Buffer, at: Date) {
    return this.#db
      .insertInto('totp_secrets')
      .values({ user_id: userId, is_pending: true, secret, created_at: at })
      .onConflict((conflict) => conflict.columns(['user_id', 'is_pending']).doUpdateSet({ secret, created_at: at }))
      .execute()
  }

  /** Replaces the previous app with the pending one; the code of `step` is consumed. */
  async activateTotp(userId: string, step: number, at: Date): Promise<void> {
    await this.#db.deleteFrom('totp_secrets').where('user_id', '=', userId).where('is_pending', '=', false).execute()
    await this.#db
      .updateTable('totp_secrets')
      .set({ is_pending: false, last_step: step, created_at: at })
      .where('user_id', '=', userId)
      .execute()
  }

  /** True for the first caller with this or a newer step: a code works once. */
  async takeStep(userId: string, step: number): Promise<boolean> {
    const rows = await this.#db
      .updateTable('totp_secrets')
      .set({ last_step: step })
      .where('user_id', '=', userId)
      .where('is_pending', '=', false)
      .where('last_step', '<', String(step))
      .returning('user_id')
      .execute()
    return rows.length > 0
  }

  async deleteTotp(userId: string): Promise<boolean> {
    return (await this.#db.deleteFrom('totp_secrets').where('user_id', '=', userId).returning('is_pending').execute()).some(
      (row) => !row.is_pending,
    )
  }

  async countCodes(userId: string): Promise<number> {
    const { count } = await this.#db
      .selectFrom('recovery_codes')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('user_id', '=', userId)
      .where('used_at', 'is', null)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  async replaceCodes(userId: string, hashes: readonly Buffer[], at: Date): Promise<void> {
    await this.#db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
    if (hashes.length === 0) return
    await this.#db
      .insertInto('recovery_codes')
      .values(hashes.map((code_hash) => ({ user_id: userId, code_hash, created_at: at })))
      .execute()
  }

  /** True for the first caller with this code. */
  async takeCode(userId: string, hash: Buffer, at: Date): Promise<boolean> {
    const rows = await this.#db
      .updateTable('recovery_codes')
      .set({ used_at: at })
      .where('user_id', '=', userId)
      .where('code_hash', '=', hash)
      .where('used_at', 'is', null)
      .returning('user_id')
      .execute()
    return rows.length > 0
  }

  /** How many passkeys an account has. */
  async countPasskeys(userId: string): Promise<number> {
    const { count } = await this.#db
      .selectFrom('passkeys')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /** Removes every factor of an account. */
  async deleteAll(userId: string): Promise<void> {
    for (const table of ['totp_secrets', 'passkeys', 'passkey_registrations', 'recovery_codes', 'sign_in_challenges'] as const)
      await this.#db.deleteFrom(table).where('user_id', '=', userId).execute()
    await this.#db.updateTable('users').set({ second_factor_since: null }).where('id', '=', userId).execute()
  }

  /** Counts an attempt at an open challenge and returns its account; undefined if it is unknown, expired, or tried too often. */
  async tryChallenge(tokenHash: Buffer, attemptsMax: number, at: Date) {
    return this.#db
      .updateTable('sign_in_challenges')
      .set({ attempts: sql<number>`attempts + 1` })
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', at)
      .where('attempts', '<', attemptsMax)
      .returning(['user_id', 'passkey_challenge'])
      .executeTakeFirst()
  }

  /** Stores the challenge for a passkey, and gives the attempt back. */
  async storePasskeyChallenge(tokenHash: Buffer, challenge: string | null): Promise<void> {
    await this.#db
      .updateTable('sign_in_challenges')
      .set({ passkey_challenge: challenge, attempts: sql<number>`attempts - 1` })
      .where('token_hash', '=', tokenHash)
      .execute()
  }

  /** True for the caller that ends it. */
  async endChallenge(tokenHash: Buffer): Promise<boolean> {
    return (await this.#db.deleteFrom('sign_in_challenges').where('token_hash', '=', tokenHash).returning('user_id').execute()).length > 0
  }
}
