// The counters of guesses at one account, and their end when its password is replaced.
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { normaliseEmail } from '#shared/auth/rules.ts'
import { sha256 } from './hash-secret.ts'

/** Emails are hashed in counters, because the table also contains those of strangers. */
export function guessBucket(email: string): string {
  return `sign-in:${sha256(email).toString('base64url').slice(0, 22)}`
}

export function secondFactorBucket(userId: string): string {
  return `second-factor:${userId}`
}

/**
 * Guesses at a former password do not keep the owner from the new one. Those at the second factor stay after a mailed link:
 * with the mailbox alone they could else begin again.
 */
export async function clearGuessCounters(db: Db, userId: string, isByMail: boolean): Promise<void> {
  const { email } = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
  const buckets = [guessBucket(normaliseEmail(email)), `confirm:${userId}`, ...(isByMail ? [] : [secondFactorBucket(userId)])]
  await db
    .deleteFrom('rate_counters')
    .where((counters) =>
      counters.or(buckets.flatMap((bucket) => [counters('bucket', '=', bucket), sql<boolean>`starts_with(bucket, ${`${bucket}:`})`])),
    )
    .execute()
}
