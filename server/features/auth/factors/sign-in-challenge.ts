// The second step of a sign-in: a challenge after the right password, and the factor that answers it.
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/audit.ts'
import { limits as numbers, type Limits } from '#server/http/limits.ts'
import { readCode } from '#shared/factors/rules.ts'
import { AppError } from '#shared/http/errors.ts'
import { factorsText as text } from '#shared/text/en/factors.ts'
import { knownDevice } from '../device-cookie.ts'
import type { AuthService, Caller, HeldCookies, SignedIn } from '../service.ts'
import { hashSecret } from '../session-rules.ts'
import { factorRepository } from './factor-repository.ts'
import type { PasskeyService } from './passkey-service.ts'
import { takeCode, type FactorName, type VerifyDeps } from './verify-code.ts'

const attemptsMax = 5

export interface Answer {
  readonly challenge: string
  readonly code: string
  readonly passkey?: { readonly id: string } | undefined
}

export type SecondFactorService = ReturnType<typeof secondFactorService>

/** Answers challenges. Codes of apps count against a limit per account; recovery codes are too long to be guessed. */
export function secondFactorService(
  deps: VerifyDeps & {
    db: Db
    limits: Limits
    now: () => number
    auth: Pick<AuthService, 'completeSignIn'>
    passkeys: PasskeyService
    /** Signs the cookie of known devices. */
    deviceKey: Buffer
  },
) {
  const { db, limits, now, auth, passkeys } = deps

  async function reject(userId: string, caller: Caller): Promise<never> {
    const { email } = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
    const target = { id: userId, name: email }
    const details = { reason: 'second factor' }
    // Who knows the password can fail without end, and the log has a bound.
    if ((await limits.hit(`second-factor-log:${userId}`, numbers.secondFactorLog)) === undefined)
      await writeAudit(db, { at: new Date(now()), actor: null, action: 'sign-in-failed', target, address: caller.address, details })
    throw new AppError('unauthenticated', text.codeWrong, { code: 'auth.code-wrong', fields: { code: text.codeWrong } })
  }

  /** Counts the attempt; the answer is looked at only for a challenge that is open. */
  async function openChallenge(token: string) {
    const tokenHash = hashSecret(token)
    const found = tokenHash === undefined ? undefined : await factorRepository(db).tryChallenge(tokenHash, attemptsMax, new Date(now()))
    if (tokenHash === undefined || found === undefined) throw challengeEnded()
    return { tokenHash, userId: found.user_id, passkeyChallenge: found.passkey_challenge }
  }

  /** Opens the session in the transaction that uses factor and challenge up. */
  async function signIn(
    challenge: { tokenHash: Buffer; userId: string },
    take: (transaction: Db, at: Date) => Promise<FactorName | undefined>,
    caller: Caller,
    heldCookie: string | undefined,
  ): Promise<SignedIn | undefined> {
    return auth.completeSignIn({ userId: challenge.userId }, caller, heldCookie, async (transaction, at) => {
      const factor = await take(transaction, at)
      if (factor === undefined) return undefined
      // Of two answers to one challenge the second one comes too late.
      if (!(await factorRepository(transaction).endChallenge(challenge.tokenHash))) throw challengeEnded()
      return { factor }
    })
  }

  return {
    /** What the browser needs to answer with a passkey; null where the account has none. @throws AppError unauthenticated. */
    async passkeyOptions(token: string): Promise<unknown> {
      const { tokenHash, userId } = await openChallenge(token)
      const options = await passkeys.startSignIn(userId)
      // To ask is no attempt.
      await factorRepository(db).keepPasskeyChallenge(tokenHash, options?.challenge ?? null)
      return options ?? null
    },

    /**
     * Opens the session that the password has earned.
     * @throws AppError invalid (no code), unauthenticated (wrong code, or the challenge is over), too-many, unavailable.
     */
    async answer(form: Answer, caller: Caller, held: HeldCookies = {}): Promise<SignedIn> {
      const { passkey } = form
      if (passkey !== undefined) {
        const challenge = await openChallenge(form.challenge)
        const expected = challenge.passkeyChallenge
        if (expected === null) throw challengeEnded()
        const take = (transaction: Db, at: Date) => passkeys.take(transaction, challenge.userId, expected, passkey, at)
        return (await signIn(challenge, take, caller, held.session)) ?? reject(challenge.userId, caller)
      }
      const code = readCode(form.code)
      if (code === undefined) throw new AppError('invalid', text.codeShape, { code: 'auth.invalid', fields: { code: text.codeShape } })
      const challenge = await openChallenge(form.challenge)
      // A device of the owner has a count of its own, so that nobody else's guesses shut it out.
      const device = knownDevice(deps.deviceKey, held.device, { userId: challenge.userId, nowMs: now() })
      const bucket = `second-factor:${challenge.userId}${device === undefined ? '' : `:${device}`}`
      if (code.kind === 'totp') {
        const wait = await limits.hit(bucket, numbers.secondFactorAccount)
        if (wait !== undefined) throw new AppError('too-many', text.tooManyCodes, { code: 'auth.too-many', retryAfterSeconds: wait })
      }
      const signedIn = await signIn(
        challenge,
        (transaction, at) => takeCode(transaction, challenge.userId, code, at, deps),
        caller,
        held.session,
      )
      if (signedIn === undefined) return reject(challenge.userId, caller)
      if (code.kind === 'totp') await limits.giveBack(bucket)
      return signedIn
    },
  }
}

function challengeEnded(): AppError {
  return new AppError('unauthenticated', text.challengeEnded, { code: 'auth.challenge-ended' })
}
