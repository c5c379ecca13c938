// Many premium users, each with a session, written directly to a database.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { newSecret, sha256 } from '#server/features/auth/hash-secret.ts'
import { noticeVersion } from '#shared/privacy/notice-version.ts'

export interface BenchSession {
  readonly cookie: string
  readonly sessionToken: string
}

/** Adds users and returns their sessions, which have just been used. */
export async function addSessions(db: Db, count: number): Promise<BenchSession[]> {
  const made = Array.from({ length: count }, () => ({ id: randomUUID(), cookie: newSecret(), sessionToken: newSecret() }))
  const ids = made.map(({ id }) => id)
  await sql`
    insert into users (id, name, email, phone, password_hash, status, premium_start, premium_end, subscription_months, consent_notice, created_at)
    select id, 'Asha Rao', id || '@example.in', '9876543210', 'none', 'paid', now(), now() + interval '1 year', 12, ${noticeVersion}, now()
    from unnest(${ids}::uuid[]) as id`.execute(db)
  await sql`
    insert into sessions (user_id, cookie_hash, token_hash, created_at, last_seen_at, address, user_agent)
    select *, now(), now(), '127.0.0.1', 'bench' from unnest(${ids}::uuid[], ${made.map(({ cookie }) => sha256(cookie))}::bytea[],
      ${made.map(({ sessionToken }) => sha256(sessionToken))}::bytea[])`.execute(db)
  await sql`analyze users, sessions`.execute(db)
  return made.map(({ cookie, sessionToken }) => ({ cookie, sessionToken }))
}
