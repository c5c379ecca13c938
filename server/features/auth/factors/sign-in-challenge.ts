// The second step of a sign-in: a challenge after the correct password, and its verification by a factor.
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import { rateLimits, rejectWait, type RateLimiter } from '#server/http/rate-limiter.ts'
import type { Caller } from '#server/http/session.ts'
import { readCode } from '#shared/factors/rules.ts'
import { AppError } from '#shared/http/app-error.ts'
import { knownDevice } from '../device-cookie.ts'
import { hashSecret } from '../hash-secret.ts'
import { rejectField } from '../rules.ts'
import type { AuthService, EarlierCookies, SignedIn } from '../service.ts'
import { secondFactorBucket } from '../sign-in-guard.ts'
import { FactorRepository } from './factor-repository.ts'
import type { PasskeyService } from './passkey-service.ts'
import { verifyCode, type FactorName, type VerifyCodeDeps } from './verify-code.ts'

const attemptsMax = 5

interface SignInChallengeDeps extends VerifyCodeDeps {
  readonly db: Db
  readonly rateLimiter: RateLimiter
  readonly now: () => number
  readonly auth: Pick<AuthService, 'completeSignIn'>
  readonly passkeys: PasskeyService
  /** Signs the known-device cookie. */
  readonly deviceKey: Buffer
}

/** Verifies challenges. App codes are rate limited per account; recovery codes are too long to be guessed. */
export class SignInChallenge {
  readonly #deps: SignInChallengeDeps

  constructor(deps: SignInChallengeDeps) {
    this.#deps = deps
  }

  /** Options for the browser to sign in with a passkey; null if the account has none. @throws AppError unauthenticated */
  async passkeyOptions(token: string): Promise<unknown> {
    const { tokenHash, userId } = await this.#tryChallenge(token)
    const options = await this.#deps.passkeys.startSignIn(userId)
    // Requesting options is not an attempt.
    await new FactorRepository(this.#deps.db).storePasskeyChallenge(tokenHash, options?.challenge ?? null)
    return options ?? null
  }

  /**
   * Opens the session after a verified factor.
   * @throws AppError invalid (malformed code), unauthenticated (wrong code, or the challenge is over), too-many, unavailable
   */
  async verify(
    form: { readonly challenge: string; readonly code: string; readonly passkey?: { readonly id: string } | undefined },
    caller: Caller,
    earlier: EarlierCookies = {},
  ): Promise<SignedIn> {
    const { rateLimiter, passkeys, deviceKey, now } = this.#deps
    const { passkey } = form
    if (passkey !== undefined) {
      const challenge = await this.#tryChallenge(form.challenge)
      const expected = challenge.passkeyChallenge
      if (expected === null) throw challengeEnded()
      return this.#signIn(challenge, caller, earlier, (transaction, at) =>
        passkeys.verify(transaction, challenge.userId, expected, passkey, at),
      )
    }
    const code = readCode(form.code) ?? rejectField('code', 'factors.codeShape')
    const challenge = await this.#tryChallenge(form.challenge)
    // A known device has its own counter, so that guesses of others do not lock it out.
    const device = knownDevice(deviceKey, earlier.device, { userId: challenge.userId, nowMs: now() })
    const bucket = `${secondFactorBucket(challenge.userId)}${device === undefined ? '' : `:${device}`}`
    if (code.kind === 'totp') rejectWait(await rateLimiter.hit(bucket, rateLimits.secondFactorAccount), 'factors.tooManyCodes')
    const signedIn = await this.#signIn(challenge, caller, earlier, (transaction, at) =>
      verifyCode(transaction, challenge.userId, code, at, this.#deps),
    )
    if (code.kind === 'totp') await rateLimiter.giveBack(bucket)
    return signedIn
  }

  /** Counts an attempt at an open challenge. */
  async #tryChallenge(token: string) {
    const tokenHash = hashSecret(token)
    if (tokenHash === undefined) throw challengeEnded()
    const found = await new FactorRepository(this.#deps.db).tryChallenge(tokenHash, attemptsMax, new Date(this.#deps.now()))
    if (found === undefined) throw challengeEnded()
    return { tokenHash, userId: found.user_id, passkeyChallenge: found.passkey_challenge }
  }

  /** Opens the session in the transaction that consumes factor and challenge. */
  async #signIn(
    { tokenHash, userId }: { readonly tokenHash: Buffer; readonly userId: string },
    caller: Caller,
    earlier: EarlierCookies,
    verify: (transaction: Db, at: Date) => Promise<FactorName | undefined>,
  ): Promise<SignedIn> {
    const signedIn = await this.#deps.auth.completeSignIn({ userId }, caller, earlier.session, async (transaction, at) => {
      const factor = await verify(transaction, at)
      if (factor === undefined) return undefined
      // Of two concurrent responses to one challenge the second one is too late.
      if (!(await new FactorRepository(transaction).endChallenge(tokenHash))) throw challengeEnded()
      return { factor }
    })
    return signedIn ?? this.#reject(userId, caller)
  }

  async #reject(userId: string, { address }: Caller): Promise<never> {
    const { db, rateLimiter, now } = this.#deps
    const { email } = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
    const target = { id: userId, name: email }
    const details = { reason: 'second factor' }
    // An attacker with the password can fail without end, so log entries are bounded.
    if ((await rateLimiter.hit(`second-factor-log:${userId}`, rateLimits.secondFactorLog)) === undefined)
      await writeAudit(db, { at: new Date(now()), actor: null, action: 'sign-in-failed', target, address, details })
    throw new AppError('unauthenticated', 'factors.codeWrong', { fields: { code: 'factors.codeWrong' } })
  }
}

function challengeEnded(): AppError {
  return new AppError('unauthenticated', 'factors.challengeEnded')
}
