// Signs a user in without the form: inserts the session row, and returns its two secrets.
import type { Db } from '#server/db/database.ts'
import { newSecret, sha256 } from '#server/features/auth/hash-secret.ts'

export interface TestSession {
  /** Value of the session cookie. */
  readonly cookie: string
  /** Value of `Session-Token`. */
  readonly sessionToken: string
}

/** Opens a session for a user, as of `at`. */
export async function insertTestSession(
  db: Db,
  { userId, at, address = '203.0.113.7' }: { userId: string; at: Date; address?: string },
): Promise<TestSession> {
  const secrets = { cookie: newSecret(), sessionToken: newSecret() }
  const hashes = { cookie_hash: sha256(secrets.cookie), token_hash: sha256(secrets.sessionToken) }
  await db
    .insertInto('sessions')
    .values({ user_id: userId, ...hashes, created_at: at, last_seen_at: at, address, user_agent: 'test' })
    .execute()
  return secrets
}
