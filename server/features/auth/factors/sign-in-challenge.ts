// The second step of a sign-in: a challenge after the correct password, and its verification by a factor.
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import { rateLimits, type RateLimiter } from '#server/http/rate-limiter.ts'
import { readCode } from '#shared/factors/rules.ts'
import { AppError } from '#shared/http/app-error.ts'
import { knownDevice } from '../device-cookie.ts'
import { secondFactorBucket } from '../guess-counters.ts'
import type { AuthService, HeldCookies, SignedIn } from '../service.ts'
import type { Caller } from '#server/http/session.ts'
import { hashSecret } from '../hash-secret.ts'
import { FactorRepository } from './factor-repository.ts'
import type { PasskeyService } from './passkey-service.ts'
import { takeCode, type FactorName, type VerifyDeps } from './verify-code.ts'

const attemptsMax = 5

export interface Answer {
  readonly challenge: string
  readonly code: string
  readonly passkey?: { readonly id: string } | undefined
}

interface SecondFactorDeps extends VerifyDeps {
  readonly db: Db
  readonly rateLimiter: RateLimiter
  readonly now: () => number
  readonly auth: Pick<AuthService, 'completeSignIn'>
  readonly passkeys: PasskeyService
  /** Signs the known-device cookie. */
  readonly deviceKey: Buffer
}

/** Verifies challenges. App codes are rate limited per account; recovery codes are too long to be guessed. */
export class SecondFactorService {
  readonly #deps: SecondFactorDeps

  constructor(deps: SecondFactorDeps) {
    this.#deps = deps
  }

  /** Options for the browser to sign in with a passkey; null if the account has none. @throws AppError unauthenticated */
  async passkeyOptions(token: string): Promise<unknown> {
    const { tokenHash, userId } = await this.#openChallenge(token)
    const options = await this.#deps.passkeys.startSignIn(userId)
    // Requesting options is not an attempt.
    await new FactorRepository(this.#deps.db).keepPasskeyChallenge(tokenHash, options?.challenge ?? null)
    return options ?? null
  }

  /**
   * Opens the session after a verified factor.
   * @throws AppError invalid (malformed code), unauthenticated (wrong code, or the challenge is over), too-many, unavailable
   */
  async answer(form: Answer, caller: Caller, held: HeldCookies = {}): Promise<SignedIn> {
    const { passkey } = form
    if (passkey !== undefined) {
      const challenge = await this.#openChallenge(form.challenge)
      const expected = challenge.passkeyChallenge
      if (expected === null) throw challengeEnded()
      const take = (transaction: Db, at: Date) => this.#deps.passkeys.take(transaction, challenge.userId, expected, passkey, at)
      return (await this.#signIn(challenge, take, caller, held.session)) ?? this.#reject(challenge.userId, caller)
    }
    const code = readCode(form.code)
    if (code === undefined) throw new AppError('invalid', 'factors.codeShape', { fields: { code: 'factors.codeShape' } })
    const challenge = await this.#openChallenge(form.challenge)
    // A known device has its own counter, so that guesses of others do not lock it out.
    const device = knownDevice(this.#deps.deviceKey, held.device, { userId: challenge.userId, nowMs: this.#deps.now() })
    const bucket = `${secondFactorBucket(challenge.userId)}${device === undefined ? '' : `:${device}`}`
    if (code.kind === 'totp') {
      const wait = await this.#deps.rateLimiter.hit(bucket, rateLimits.secondFactorAccount)
      if (wait !== undefined) throw new AppError('too-many', 'factors.tooManyCodes', { retryAfterSeconds: wait })
    }
    const signedIn = await this.#signIn(
      challenge,
      (transaction, at) => takeCode(transaction, challenge.userId, code, at, this.#deps),
      caller,
      held.session,
    )
    if (signedIn === undefined) return this.#reject(challenge.userId, caller)
    if (code.kind === 'totp') await this.#deps.rateLimiter.giveBack(bucket)
    return signedIn
  }

  async #reject(userId: string, caller: Caller): Promise<never> {
    const { email } = await this.#deps.db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
    const target = { id: userId, name: email }
    const details = { reason: 'second factor' }
    // An attacker with the password can fail without end, so log entries are bounded.
    if ((await this.#deps.rateLimiter.hit(`second-factor-log:${userId}`, rateLimits.secondFactorLog)) === undefined)
      await writeAudit(this.#deps.db, {
        at: new Date(this.#deps.now()),
        actor: null,
        action: 'sign-in-failed',
        target,
        address: caller.address,
        details,
      })
    throw new AppError('unauthenticated', 'factors.codeWrong', { fields: { code: 'factors.codeWrong' } })
  }

  /** Counts the attempt; the code is checked only for an open challenge. */
  async #openChallenge(token: string) {
    const tokenHash = hashSecret(token)
    const found =
      tokenHash === undefined
        ? undefined
        : await new FactorRepository(this.#deps.db).tryChallenge(tokenHash, attemptsMax, new Date(this.#deps.now()))
    if (tokenHash === undefined || found === undefined) throw challengeEnded()
    return { tokenHash, userId: found.user_id, passkeyChallenge: found.passkey_challenge }
  }

  /** Opens the session in the transaction that consumes factor and challenge. */
  async #signIn(
    challenge: { tokenHash: Buffer; userId: string },
    take: (transaction: Db, at: Date) => Promise<FactorName | undefined>,
    caller: Caller,
    heldCookie: string | undefined,
  ): Promise<SignedIn | undefined> {
    return this.#deps.auth.completeSignIn({ userId: challenge.userId }, caller, heldCookie, async (transaction, at) => {
      const factor = await take(transaction, at)
      if (factor === undefined) return undefined
      // Of two concurrent responses to one challenge the second one is too late.
      if (!(await new FactorRepository(transaction).endChallenge(challenge.tokenHash))) throw challengeEnded()
      return { factor }
    })
  }
}

function challengeEnded(): AppError {
  return new AppError('unauthenticated', 'factors.challengeEnded')
}
