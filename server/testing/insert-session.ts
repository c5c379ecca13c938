// Signs a user in without the form: inserts the session row, and returns its two secrets.
import type { Db } from '#server/db/database.ts'
import { insertSession } from '#server/features/auth/repository.ts'
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
  await insertSession(db, {
    userId,
    cookieHash: sha256(secrets.cookie),
    tokenHash: sha256(secrets.sessionToken),
    at,
    address,
    userAgent: 'test',
  })
  return secrets
}
