// The end of a sign-in: a new session with its log row, or a challenge if a second factor is needed.
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import { minuteMs } from '#shared/base/durations.ts'
import { AuthRepository, endSurplusSessions, insertSession } from './repository.ts'
import { newSecret, sha256 } from './hash-secret.ts'

/** Maximum active sessions of a user; beyond it the least recently used ones end. */
const sessionsPerUserMax = 20
/** Maximum open challenges of a user; beyond it the oldest ones end. */
const challengesPerUserMax = 20
/** Lifetime of a second factor challenge. */
const challengeMs = 5 * minuteMs

/** The account that signs in. `passwordHash` is the verified one, if only the password is needed. */
export interface Entrant {
  readonly userId: string
  readonly passwordHash?: string
}

interface SessionOptions {
  readonly entrant: Entrant
  readonly caller: { readonly address: string; readonly userAgent: string }
  readonly at: Date
  /** Consumes what else the sign-in needs; undefined if that is missing. */
  readonly take: (transaction: Db, at: Date) => Promise<Readonly<Record<string, unknown>> | undefined>
}

/**
 * Opens a session and logs it in one transaction. Undefined, with nothing stored, if the account is gone, its password or
 * second factor has changed since the check, or `take` fails.
 */
export async function openSession(db: Db, { entrant, caller, at, take }: SessionOptions) {
  const { userId, passwordHash } = entrant
  const secrets = { cookie: newSecret(), sessionToken: newSecret() }
  return db.transaction().execute(async (transaction) => {
    const repository = new AuthRepository(transaction)
    // Locked until the commit, so that no session is opened for an account being erased.
    const account = await repository.holdAccount(userId, passwordHash)
    if (account === undefined) return undefined
    // Added while the password was being checked.
    if (passwordHash !== undefined && account.second_factor_since !== null) return undefined
    const details = await take(transaction, at)
    if (details === undefined) return undefined
    await insertSession(transaction, {
      userId,
      cookieHash: sha256(secrets.cookie),
      tokenHash: sha256(secrets.sessionToken),
      at,
      address: caller.address,
      userAgent: caller.userAgent,
    })
    const target = { id: account.id, name: account.email }
    await writeAudit(transaction, { at, actor: account, action: 'sign-in', target, address: caller.address, details })
    const surplus = await endSurplusSessions(transaction, userId, { keep: sessionsPerUserMax, at })
    return { ...secrets, account, surplus }
  })
}

/**
 * Records the correct password; returns the token to send with the second factor. Undefined, with nothing stored,
 * if the account is gone or its password has changed.
 */
export async function openChallenge(db: Db, { userId, passwordHash }: Required<Entrant>, nowMs: number): Promise<string | undefined> {
  const challenge = newSecret()
  const times = { created_at: new Date(nowMs), expires_at: new Date(nowMs + challengeMs) }
  return db.transaction().execute(async (transaction) => {
    if ((await new AuthRepository(transaction).holdAccount(userId, passwordHash)) === undefined) return undefined
    await transaction
      .insertInto('sign_in_challenges')
      .values({ token_hash: sha256(challenge), user_id: userId, ...times })
      .execute()
    await transaction
      .deleteFrom('sign_in_challenges')
      .where('token_hash', 'in', (all) =>
        all
          .selectFrom('sign_in_challenges')
          .select('token_hash')
          .where('user_id', '=', userId)
          .where('token_hash', '!=', sha256(challenge))
          .orderBy('created_at', 'desc')
          .offset(challengesPerUserMax - 1),
      )
      .execute()
    return challenge
  })
}
