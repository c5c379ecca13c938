// The counters of guesses at one account, and their end when its password is replaced.
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { normaliseEmail } from '#shared/auth/rules.ts'
import { sha256 } from './session-rules.ts'

/** Emails are hashed in counters, because the table also contains those of strangers. */
export function guessBucket(email: string): string {
  return `sign-in:${sha256(email).toString('base64url').slice(0, 22)}`
}

export function secondFactorBucket(userId: string): string {
  return `second-factor:${userId}`
}

/** Guesses at a former password or factor do not keep the owner from the new one. */
export async function clearGuessCounters(db: Db, userId: string): Promise<void> {
  const { email } = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
  const buckets = [guessBucket(normaliseEmail(email)), secondFactorBucket(userId), `confirm:${userId}`]
  await db
    .deleteFrom('rate_counters')
    .where((counters) =>
      counters.or(buckets.flatMap((bucket) => [counters('bucket', '=', bucket), sql<boolean>`starts_with(bucket, ${`${bucket}:`})`])),
    )
    .execute()
}
