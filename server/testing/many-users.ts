// Fills the users table for load measurements.
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { liftTimeouts } from '#server/db/lift-timeouts.ts'

const firstNames = ['Asha', 'Ravi', 'Priya', 'Arjun', 'Meera', 'Kabir', 'Divya', 'Rohan', 'Neha', 'Vikram']
const lastNames = ['Sharma', 'Rao', 'Patel', 'Iyer', 'Singh', 'Das', 'Nair', 'Gupta', 'Khan', 'Joshi', 'Mehta']

export interface ManyUsers {
  readonly count: number
  /** Domain of their emails. */
  readonly domain: string
  /** Whether half of those who have had premium count as paid; otherwise it has ended for all of them. */
  readonly hasPaid: boolean
}

/** From here on indexes for the search are built faster than they are extended. */
const bulkMin = 50_000

/** @returns the statements that create them again */
async function dropGinIndexes(transaction: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; text: string }>`
    select indexname as name, indexdef as text from pg_indexes
    where schemaname = 'public' and tablename = 'users' and indexdef like '% USING gin %'`.execute(transaction)
  for (const { name } of rows) await sql`drop index ${sql.ref(name)}`.execute(transaction)
  await sql`set local maintenance_work_mem = '512MB'`.execute(transaction)
  return rows.map(({ text }) => text)
}

/** Adds users with bulk inserts; half have had premium, spread over two years. */
export async function addManyUsers(db: Db, { count, domain, hasPaid }: ManyUsers): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await liftTimeouts(transaction)
    const rebuild = count < bulkMin ? [] : await dropGinIndexes(transaction)
    await sql`
      insert into users (name, email, phone, password_hash, status, premium_start, premium_end, subscription_months, payment_type, utr_no, created_at)
      select (${firstNames}::text[])[1 + n % 10] || ' ' || (${lastNames}::text[])[1 + n % 11], 'user' || n || '@' || ${domain}::text, '9876543210', 'none',
        case when n % 2 = 0 then case when ${hasPaid}::boolean and n % 4 = 0 then 'paid' else 'cancel' end end,
        case when n % 2 = 0 then timestamptz '2026-11-20' - (n % 730) * interval '1 day' - (n % 86400) * interval '1 second' end,
        case when n % 2 = 0 then timestamptz '2026-12-20' - (n % 730) * interval '1 day' end,
        case when n % 2 = 0 then 1 else 0 end, case when n % 2 = 0 then 'upi' end,
        case when n % 2 = 0 then (632400000000 + n)::text end, timestamptz '2026-11-20' - n * interval '37 seconds'
      from generate_series(1, ${count}::int) as n`.execute(transaction)
    for (const text of rebuild) await sql.raw(text).execute(transaction)
  })
  await sql`set statement_timeout = 0`.execute(db)
  await sql`vacuum (analyze) users`.execute(db)
}
