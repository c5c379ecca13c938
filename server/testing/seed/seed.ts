// Seeds a development database once, and removes the seed data.
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { seedAdminEmail, seedDomain, seedPeople } from './people.ts'
import type { PasswordHasher } from '#server/features/auth/password-hasher.ts'
import { playWorld } from './world.ts'

/** Thrown with a line for the developer. */
export class SeedError extends Error {
  override readonly name = 'SeedError'
}

export interface SeedOptions {
  readonly db: Db
  readonly nowMs: number
  readonly hasher: PasswordHasher
  /** Removes earlier seed data first. */
  readonly isReset: boolean
}

/** One sign-in of each state. */
export function seedSignIns(): readonly { email: string; state: string }[] {
  const people = seedPeople()
  const first = people.filter(({ state }, at) => people.findIndex((person) => person.state === state) === at)
  return [{ email: seedAdminEmail, state: 'admin' }, ...first.map(({ email, state }) => ({ email, state }))]
}

/**
 * Creates the seed data, or skips it if it exists.
 * @throws SeedError on a database with other users, and after an interrupted run
 */
export async function seed({ db, nowMs, hasher, isReset }: SeedOptions): Promise<'created' | 'exists'> {
  const hadWorld = isReset && (await removeWorld(db))
  const emails = [seedAdminEmail, ...seedPeople().map(({ email }) => email)]
  const { own, others } = await db
    .selectFrom('users')
    .select(({ fn }) => [
      fn.countAll<string>().filterWhere('email', 'in', emails).as('own'),
      fn.countAll<string>().filterWhere('email', 'not in', emails).filterWhere('role', '=', 'user').as('others'),
    ])
    .executeTakeFirstOrThrow()
  if (Number(own) === emails.length) return 'exists'
  if (Number(own) > 0) throw new SeedError('The seeded world is incomplete. Run npm run seed -- --reset to create it again.')
  if (!hadWorld && Number(others) > 0) {
    throw new SeedError(`The database has ${others} other users, so it is not seeded. Use an empty one: DATA_DIR=./data-seed npm run seed`)
  }
  await playWorld({ db, nowMs, hasher })
  return 'created'
}

/** Removes exactly the rows of seeded accounts, append-only ones included; returns false if there are none. */
async function removeWorld(db: Db): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const users = await transaction.selectFrom('users').select('id').where('email', 'like', `%@${seedDomain}`).execute()
    const ids = users.map(({ id }) => id)
    if (ids.length === 0) return false
    await sql`
      delete from plans where id in (select target_id from audit_log where action = 'plan-created' and actor_id = any(${ids}::uuid[]))`.execute(
      transaction,
    )
    for (const table of ['audit_log', 'consents']) await sql`alter table ${sql.table(table)} disable trigger user`.execute(transaction)
    await transaction
      .deleteFrom('audit_log')
      .where((entry) => entry.or([entry('actor_id', 'in', ids), entry('target_id', 'in', ids)]))
      .execute()
    for (const table of ['consents', 'subscription_history', 'payment_requests', 'sessions'] as const)
      await transaction.deleteFrom(table).where('user_id', 'in', ids).execute()
    await transaction.deleteFrom('users').where('id', 'in', ids).execute()
    for (const table of ['audit_log', 'consents']) await sql`alter table ${sql.table(table)} enable trigger user`.execute(transaction)
    return true
  })
}
