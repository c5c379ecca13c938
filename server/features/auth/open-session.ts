// The end of a sign-in: the new session with its log row, or the challenge where a second factor is missing.
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/audit.ts'
import { minuteMs } from '#shared/base/durations.ts'
import { authRepository, endSurplusSessions, insertSession } from './repository.ts'
import { newSecret, sha256 } from './session-rules.ts'

/** Living sessions of one user; beyond it the least used ones end. */
const sessionsPerUserMax = 20
/** How long a challenge waits for the second factor. */
const challengeMs = 5 * minuteMs

/** Who signs in. `passwordHash` is what the given password was checked against, where nothing else is asked. */
export interface Entrant {
  readonly userId: string
  readonly passwordHash?: string
}

interface SessionOptions {
  readonly entrant: Entrant
  readonly caller: { readonly address: string; readonly userAgent: string }
  readonly at: Date
  /** Uses up what else the sign-in needs; undefined where that is not given. */
  readonly take: (transaction: Db, at: Date) => Promise<Readonly<Record<string, unknown>> | undefined>
}

/**
 * Opens a session and logs it in one transaction. Undefined, with nothing stored, where the account is gone, its password or
 * second factor is no longer the one that was checked, or `take` says so.
 */
export async function openSession(db: Db, { entrant, caller, at, take }: SessionOptions) {
  const { userId, passwordHash } = entrant
  const secrets = { cookie: newSecret(), sessionToken: newSecret() }
  return db.transaction().execute(async (transaction) => {
    const repository = authRepository(transaction)
    // Held until the commit, so that nobody signs in to an account that is being erased.
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
 * Notes that the password was right; answers the secret that the second factor has to come with. Undefined, with nothing
 * stored, where the account is gone or has another password by now.
 */
export async function openChallenge(db: Db, { userId, passwordHash }: Required<Entrant>, nowMs: number): Promise<string | undefined> {
  const challenge = newSecret()
  const times = { created_at: new Date(nowMs), expires_at: new Date(nowMs + challengeMs) }
  return db.transaction().execute(async (transaction) => {
    if ((await authRepository(transaction).holdAccount(userId, passwordHash)) === undefined) return undefined
    await transaction
      .insertInto('sign_in_challenges')
      .values({ token_hash: sha256(challenge), user_id: userId, ...times })
      .execute()
    return challenge
  })
}
