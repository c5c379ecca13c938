// Use cases of accounts and sessions: sign up, sign in, current session, sign out.
import { dayMs } from '#shared/base/durations.ts'
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import { recordConsent } from '#server/features/privacy/service.ts'
import { presentOwnUser } from '#server/features/users/user-presenter.ts'
import { rateLimits } from '#server/http/rate-limiter.ts'
import type { Caller, CurrentSession } from '#server/http/session.ts'
import { findSignInIssue, findSignUpIssue, normaliseEmail, type SignInForm, type SignUpForm } from '#shared/auth/rules.ts'
import { AppError } from '#shared/http/app-error.ts'
import type { Issue } from '#shared/text/messages.ts'
import type { Proof } from '#shared/http/proof.ts'
import { findConsentIssue } from '#shared/privacy/rules.ts'
import { retention } from '#shared/privacy/retention.ts'
import type { UserSession } from '#shared/auth/session-contract.ts'
import type { User } from '#shared/users/user.ts'
import { isCommonPassword, isSessionActive } from './rules.ts'
import { endUnproven } from './end-unproven.ts'
import { sessionFinder, type SessionFinder } from './find-session.ts'
import type { AuthOptions } from './auth-options.ts'
import type { Matches } from './password-hasher.ts'
import { openChallenge, openSession, type Entrant } from './open-session.ts'
import { presentSession } from './present-session.ts'
import { AuthRepository } from './repository.ts'
import { withinSessionLimit } from './session-limit.ts'
import { hashSecret } from './hash-secret.ts'
import { SignInGuard } from './sign-in-guard.ts'

export interface SignedIn {
  readonly user: User
  /** Cookie value; sent once and stored only hashed. */
  readonly cookie: string
  /** Value of `Session-Token`, bound to that cookie. */
  readonly sessionToken: string
}

/** The password was correct, and the account has a second factor: the token to send with its code. */
export interface SecondFactorNeeded {
  readonly challenge: string
}

const knownAddressMs = 30 * dayMs

/** Cookies that a browser still has from earlier sign-ins. */
export interface HeldCookies {
  readonly session?: string | undefined
  readonly device?: string | undefined
}

/** Accounts and sessions. Times come from `now`, ids from the platform's random source. */
export class AuthService {
  readonly #options: AuthOptions
  readonly #repository: AuthRepository
  readonly #guard: SignInGuard
  /** Finds the sessions of requests and sockets. */
  readonly sessions: SessionFinder

  constructor(options: AuthOptions) {
    this.#options = options
    this.#repository = new AuthRepository(options.db)
    this.sessions = sessionFinder({ repository: this.#repository, present: (row) => this.#present(row), now: options.now })
    this.#guard = new SignInGuard({
      rateLimiter: options.rateLimiter,
      proofs: options.proofs,
      deviceKey: options.deviceKey,
      now: options.now,
      isKnownAddress: (userId, address) => this.#repository.isKnownAddress(userId, address, new Date(options.now() - knownAddressMs)),
    })
  }

  /**
   * Creates an account with the default role and without premium, whatever else was sent.
   * A given consent is recorded as well; without one it is missing, and the user is asked later.
   * @throws AppError invalid (first issue of the form, then of the consent), conflict (email taken), too-many
   */
  async signUp(
    form: SignUpForm & {
      readonly consent?: { readonly noticeVersion: string; readonly isAdult: boolean } | undefined
      readonly proof?: Proof | undefined
    },
    caller: Caller,
  ): Promise<void> {
    reject(findSignUpIssue(form))
    const email = normaliseEmail(form.email)
    const name = form.name.trim()
    if (isCommonPassword(form.password, { email, name })) reject({ field: 'password', code: 'auth.passwordCommon' })
    const { consent } = form
    if (consent !== undefined) reject(findConsentIssue(consent))
    const { address } = caller
    const flood = { limit: rateLimits.signUpAddress, all: rateLimits.signUpAll, proof: form.proof, message: 'auth.tooManySignUps' } as const
    const takeBack = await this.#options.proofs.admit({ action: 'sign-up', email, address }, flood)
    const { claimAddress } = this.#options
    const created = await this.#createAccount({ ...form, email, name }, address).catch(async (error: unknown) => {
      await takeBack().catch(this.#options.onError)
      throw error
    })
    if (created === undefined) {
      const isClaimed = (await claimAddress?.(email, { name, phone: form.phone }, caller)) === true
      const code = isClaimed ? 'auth.emailWaits' : 'auth.emailTaken'
      throw new AppError('conflict', code, { fields: { email: code } })
    }
    this.#options.emails?.signedUp({ id: created.id, email }, caller)
  }

  /** Undefined if the email is taken. */
  async #createAccount({ name, email, phone, password, consent }: Parameters<AuthService['signUp']>[0], address: string) {
    const password_hash = await this.#options.hasher.hash(password, address)
    const at = new Date(this.#options.now())
    const made_with_mail = this.#options.claimAddress !== undefined
    return this.#options.db.transaction().execute(async (transaction) => {
      const inserted = await new AuthRepository(transaction).insertAccount({
        name,
        email,
        phone,
        password_hash,
        created_at: at,
        made_with_mail,
      })
      if (inserted !== undefined && consent !== undefined)
        await recordConsent(transaction, { userId: inserted.id, at, act: 'given', place: 'sign-up', ...consent })
      return inserted
    })
  }

  /**
   * Checks the credentials and opens a new session; the caller's previous session ends. An account with a second
   * factor gets a challenge instead.
   * Unknown email and wrong password have the same code path, timing and response.
   * @throws AppError invalid, unauthenticated, too-many, unavailable (too much is waiting; nothing was counted)
   */
  async signIn(
    form: SignInForm & { readonly proof?: Proof | undefined },
    caller: Caller,
    held: HeldCookies = {},
  ): Promise<SignedIn | SecondFactorNeeded> {
    reject(findSignInIssue(form))
    const email = normaliseEmail(form.email)
    const turn = { owner: caller.address, part: email }
    return this.#options.hasher.signIn(turn, (matches) => this.#signInNow({ ...form, email }, caller, held, matches))
  }

  async #signInNow(
    form: { readonly email: string; readonly password: string; readonly proof?: Proof | undefined },
    caller: Caller,
    held: HeldCookies,
    matches: Matches,
  ): Promise<SignedIn | SecondFactorNeeded> {
    const { email } = form
    const account = await this.#repository.findAccount(email)
    const attempt = { email, userId: account?.id, address: caller.address, device: held.device, proof: form.proof }
    const admitted = await this.#guard.admit(attempt)
    const isRight = await matches(form.password, account?.password_hash).catch(async (error: unknown) => {
      await admitted.undo()
      throw error
    })
    if (!isRight || account === undefined) {
      // An unknown email may be a password typed into the wrong field, so it is not logged.
      const target = account === undefined ? { id: null, name: 'unknown account' } : { id: account.id, name: account.email }
      const at = new Date(this.#options.now())
      await writeAudit(this.#options.db, { at, actor: null, action: 'sign-in-failed', target, address: caller.address })
      return rejectCredentials()
    }
    if (account.password_is_temporary && (account.temporary_password_until?.getTime() ?? Infinity) <= this.#options.now())
      throw new AppError('unauthenticated', 'privacy.temporaryExpired')
    await admitted.succeeded()
    const entrant = { userId: account.id, passwordHash: account.password_hash }
    if (account.second_factor_since === null) return (await this.completeSignIn(entrant, caller, held.session)) ?? rejectCredentials()
    return { challenge: (await openChallenge(this.#options.db, entrant, this.#options.now())) ?? rejectCredentials() }
  }

  /**
   * Opens a session and ends the caller's previous one. `take` consumes what else the sign-in needs, in the same
   * transaction, and returns the details for the log; if it returns undefined, or the account is gone or its password has changed,
   * nothing happens.
   */
  async completeSignIn(
    entrant: Entrant,
    caller: Caller,
    heldCookie: string | undefined,
    take: (transaction: Db, at: Date) => Promise<Readonly<Record<string, unknown>> | undefined> = () => Promise.resolve({}),
  ): Promise<SignedIn | undefined> {
    const at = new Date(this.#options.now())
    const opened = await withinSessionLimit(this.#options.rateLimiter, entrant.userId, () =>
      openSession(this.#options.db, { entrant, caller, at, take }),
    )
    if (opened === undefined) return undefined
    const heldHash = hashSecret(heldCookie)
    if (heldHash !== undefined) await this.#endSessions({ cookieHash: heldHash, userId: entrant.userId }, 'replaced')
    await Promise.all(opened.surplus.map((id) => this.#options.presence.leaveSession(id).catch(this.#options.onError)))
    this.#options.emails?.signedIn(opened.account, caller, at)
    return { cookie: opened.cookie, sessionToken: opened.sessionToken, user: this.#present(opened.account) }
  }

  /** Whether the session of a cookie ended because its user opened too many; its device shows why. */
  async isSurplus(cookie: string | undefined): Promise<boolean> {
    const cookieHash = hashSecret(cookie)
    return cookieHash !== undefined && (await this.#repository.isSurplus(cookieHash))
  }

  /** The user's own active sessions, newest first. */
  async sessionsOf(current: CurrentSession): Promise<UserSession[]> {
    const rows = await this.#repository.sessionsOf(current.user._id)
    return rows
      .filter((row) =>
        isSessionActive(
          { createdAtMs: row.created_at.getTime(), lastSeenAtMs: row.last_seen_at.getTime() },
          current.user.role,
          this.#options.now(),
        ),
      )
      .map((row) => presentSession(row, current.id))
  }

  /** Ends one of the caller's own sessions. @throws AppError not-found for any other */
  async endOwnSession(current: CurrentSession, sessionId: string, reason: string): Promise<void> {
    const count = await this.#endSessions({ sessionId, userId: current.user._id }, reason)
    if (count === 0) throw new AppError('not-found', 'auth.sessionNotFound')
  }

  /**
   * Deletes what no longer matters: expired counters and links, sessions, which are the access log, a year after their last
   * use, and accounts that nobody has confirmed.
   */
  async sweep(): Promise<void> {
    const before = (ageMs: number) => new Date(this.#options.now() - ageMs)
    await this.#repository.sweep(before(0), {
      sessions: before(retention.accessLogMs),
      setups: before(retention.factorSetupMs),
    })
    await this.#options.presence.sweep(this.#options.now())
    if (this.#options.claimAddress !== undefined) await endUnproven(this.#options)
  }

  #present(row: Parameters<typeof presentOwnUser>[0]) {
    return presentOwnUser(row, this.#options.now(), this.#options.needsAdminFactor === true)
  }

  async #endSessions(which: Parameters<AuthRepository['endSessions']>[0], reason: string): Promise<number> {
    const ended = await this.#repository.endSessions(which, new Date(this.#options.now()), reason)
    // The session has ended; a tab that presence failed to remove expires.
    await Promise.all(ended.map((id) => this.#options.presence.leaveSession(id).catch(this.#options.onError)))
    return ended.length
  }
}

function reject(issue: Issue<string> | undefined): void {
  if (issue !== undefined) throw new AppError('invalid', issue, { fields: { [issue.field]: issue } })
}
function rejectCredentials(): never {
  throw new AppError('unauthenticated', 'auth.credentialsWrong')
}
