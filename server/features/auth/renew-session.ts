// A new cookie for a session whose owner has confirmed who they are, so that a stolen one does not share what follows.
import type { Db } from '#server/db/database.ts'
import { AppError } from '#shared/http/app-error.ts'
import { newSecret, sha256 } from './hash-secret.ts'

/**
 * Gives a session a new cookie and returns it; the token that is bound to it stays. With `hasPassword` the session counts
 * as confirmed from then on. @throws AppError unauthenticated if the session has ended
 */
export async function renewSession(db: Db, sessionId: string, { at, hasPassword }: { at: Date; hasPassword: boolean }): Promise<string> {
  const cookie = newSecret()
  const rows = await db
    .updateTable('sessions')
    .set((eb) => ({
      former_cookie_hash: eb.ref('cookie_hash'),
      cookie_hash: sha256(cookie),
      renewed_at: at,
      ...(hasPassword ? { confirmed_at: at } : {}),
    }))
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .returning('id')
    .execute()
  if (rows.length === 0) throw sessionEnded()
  return cookie
}

/** The error of a call whose session ended while it ran. */
export function sessionEnded(): AppError {
  return new AppError('unauthenticated', 'auth.sessionMissing')
}
