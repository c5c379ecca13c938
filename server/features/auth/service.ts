// Use cases of accounts and sessions: sign up, sign in, list and end sessions.
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import { recordConsent } from '#server/features/privacy/service.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { presentOwnUser } from '#server/features/users/present-user.ts'
import type { ProofOfWork } from '#server/http/proof-of-work.ts'
import { rateLimits, rejectWait, type RateLimiter } from '#server/http/rate-limiter.ts'
import type { Caller, CurrentSession } from '#server/http/session.ts'
import type { MailService } from '#server/mail/mail-service.ts'
import { findSignInIssue, findSignUpIssue, normaliseEmail, type SignInForm, type SignUpForm } from '#shared/auth/rules.ts'
import type { UserSession } from '#shared/auth/session-contract.ts'
import { AppError } from '#shared/http/app-error.ts'
import type { Proof } from '#shared/http/proof.ts'
import { findConsentIssue } from '#shared/privacy/rules.ts'
import { retention } from '#shared/privacy/retention.ts'
import type { Issue } from '#shared/messages/message.ts'
import type { User } from '#shared/users/user.ts'
import type { EmailService } from './email-service.ts'
import { hashSecret, newSecret, sha256 } from './hash-secret.ts'
import type { Matches, PasswordHasher } from './password-hasher.ts'
import type { PasswordService } from './password-service.ts'
import { AuthRepository } from './repository.ts'
import { isCommonPassword, isSessionActive, rejectField } from './rules.ts'
import { sessionFinder, type SessionFinder } from './session-finder.ts'
import { SignInGuard } from './sign-in-guard.ts'
import { endUnproven } from './unproven-accounts.ts'

interface AuthDeps {
  readonly db: Db
  readonly rateLimiter: RateLimiter
  readonly presence: Presence
  readonly hasher: PasswordHasher
  /** Signs the known-device cookie. */
  readonly deviceKey: Buffer
  readonly proofs: ProofOfWork
  readonly now: () => number
  /** True if admins must have a second factor. */
  readonly needsAdminFactor?: boolean
  /** Handles errors that must not undo completed work. */
  readonly onError: (error: unknown) => void
  readonly mails: Pick<MailService, 'transaction'>
  /** Mails of new accounts and new devices; none are sent if undefined. */
  readonly emails?: Pick<EmailService, 'signedUp' | 'signedIn'>
  /** Mails a link to the owner of an unconfirmed account's address; false if there is none. Undefined if mail is disabled. */
  readonly claimAddress?: PasswordService['claimAddress'] | undefined
}

export interface SignedIn {
  readonly user: User
  /** Cookie value; sent once and stored only hashed. */
  readonly cookie: string
  /** Value of `Session-Token`, bound to that cookie. */
  readonly sessionToken: string
}

/** Cookies that a browser still has from earlier sign-ins. */
export interface EarlierCookies {
  readonly session?: string | undefined
  readonly device?: string | undefined
}

/** The account that signs in. `passwordHash` is the verified one, if only the password is needed. */
interface VerifiedAccount {
  readonly userId: string
  readonly passwordHash?: string
}

/** Consumes what else the sign-in needs, and returns the details for the log; undefined if that is missing. */
type Consume = (transaction: Db, at: Date) => Promise<Readonly<Record<string, unknown>> | undefined>

const knownAddressMs = 30 * dayMs
/** Maximum active sessions of a user; beyond it the least recently used ones end. */
const sessionsPerUserMax = 20
/** Maximum open challenges of a user; beyond it the oldest ones end. */
const challengesPerUserMax = 20
/** Lifetime of a second factor challenge. */
const challengeMs = 5 * minuteMs

/** Accounts and sessions. Times come from `now`, ids from the platform's random source. */
export class AuthService {
  readonly #deps: AuthDeps
  readonly #repository: AuthRepository
  readonly #guard: SignInGuard
  /** Finds the sessions of requests and sockets. */
  readonly sessions: SessionFinder

  constructor(deps: AuthDeps) {
    this.#deps = deps
    this.#repository = new AuthRepository(deps.db)
    this.sessions = sessionFinder(deps)
    this.#guard = new SignInGuard({
      ...deps,
      isKnownAddress: (userId, address) => this.#repository.isKnownAddress(userId, address, new Date(deps.now() - knownAddressMs)),
    })
  }

  /**
   * Creates an account with the default role and without premium, whatever else was sent.
   * A consent is recorded as well; without one the user is asked for it later.
   * @throws AppError invalid (first issue of the form, then of the consent), conflict (email taken), too-many
   */
  async signUp(
    form: SignUpForm & {
      readonly consent?: { readonly noticeVersion: string; readonly isAdult: boolean } | undefined
      readonly proof?: Proof | undefined
    },
    caller: Caller,
  ): Promise<void> {
    const { claimAddress, proofs, onError, emails } = this.#deps
    rejectIssue(findSignUpIssue(form))
    const email = normaliseEmail(form.email)
    const name = form.name.trim()
    if (isCommonPassword(form.password, { email, name })) rejectField('password', 'auth.passwordCommon')
    if (form.consent !== undefined) rejectIssue(findConsentIssue(form.consent))
    const { address } = caller
    const limits = {
      limit: rateLimits.signUpAddress,
      all: rateLimits.signUpAll,
      proof: form.proof,
      message: 'auth.tooManySignUps',
    } as const
    const undoCount = await proofs.admit({ action: 'sign-up', email, address }, limits)
    const created = await this.#createAccount({ ...form, email, name }, address).catch(async (error: unknown) => {
      await undoCount().catch(onError)
      throw error
    })
    if (created === undefined) {
      const isClaimed = (await claimAddress?.(email, { name, phone: form.phone }, caller)) === true
      const code = isClaimed ? 'auth.emailWaits' : 'auth.emailTaken'
      throw new AppError('conflict', code, { fields: { email: code } })
    }
    emails?.signedUp({ id: created.id, email }, caller)
  }

  /** Undefined if the email is taken. */
  async #createAccount({ name, email, phone, password, consent }: Parameters<AuthService['signUp']>[0], address: string) {
    const password_hash = await this.#deps.hasher.hash(password, address)
    const at = new Date(this.#deps.now())
    const made_with_mail = this.#deps.claimAddress !== undefined
    return this.#deps.db.transaction().execute(async (transaction) => {
      const values = { name, email, phone, password_hash, created_at: at, made_with_mail }
      const inserted = await new AuthRepository(transaction).insertAccount(values)
      if (inserted !== undefined && consent !== undefined)
        await recordConsent(transaction, {
          user_id: inserted.id,
          at,
          act: 'given',
          place: 'sign-up',
          notice_version: consent.noticeVersion,
          is_adult: consent.isAdult,
        })
      return inserted
    })
  }

  /**
   * Checks the credentials and opens a new session; the caller's previous session ends. An account with a second
   * factor gets a challenge instead: the token to send with its code.
   * Unknown email and wrong password have the same code path, timing and response.
   * @throws AppError invalid, unauthenticated, too-many, unavailable (too much is waiting; nothing was counted)
   */
  async signIn(
    form: SignInForm & { readonly proof?: Proof | undefined },
    caller: Caller,
    earlier: EarlierCookies = {},
  ): Promise<SignedIn | { readonly challenge: string }> {
    rejectIssue(findSignInIssue(form))
    const email = normaliseEmail(form.email)
    const turn = { owner: caller.address, part: email }
    return this.#deps.hasher.signIn(turn, (matches) => this.#signInNow({ ...form, email }, caller, earlier, matches))
  }

  async #signInNow(
    { email, password, proof }: { readonly email: string; readonly password: string; readonly proof?: Proof | undefined },
    caller: Caller,
    earlier: EarlierCookies,
    matches: Matches,
  ): Promise<SignedIn | { readonly challenge: string }> {
    const account = await this.#repository.findForSignIn(email)
    const attempt = { email, userId: account?.id, address: caller.address, device: earlier.device, proof }
    const admitted = await this.#guard.admit(attempt)
    const isMatch = await matches(password, account?.password_hash).catch(async (error: unknown) => {
      await admitted.undo()
      throw error
    })
    if (!isMatch || account === undefined) {
      // An unknown email may be a password typed into the wrong field, so it is not logged.
      const target = account === undefined ? { id: null, name: 'unknown account' } : { id: account.id, name: account.email }
      const at = new Date(this.#deps.now())
      await writeAudit(this.#deps.db, { at, actor: null, action: 'sign-in-failed', target, address: caller.address })
      return rejectCredentials()
    }
    if (account.password_is_temporary && (account.temporary_password_until?.getTime() ?? Infinity) <= this.#deps.now())
      throw new AppError('unauthenticated', 'privacy.temporaryExpired')
    await admitted.succeeded()
    const verified = { userId: account.id, passwordHash: account.password_hash }
    if (account.second_factor_since === null) return (await this.completeSignIn(verified, caller, earlier.session)) ?? rejectCredentials()
    return { challenge: (await this.#openChallenge(verified)) ?? rejectCredentials() }
  }

  /**
   * Opens a session and ends the caller's previous one. `consume` runs in the same transaction; if it returns undefined, or
   * the account is gone or its password has changed, nothing happens.
   */
  async completeSignIn(
    verified: VerifiedAccount,
    caller: Caller,
    earlierCookie: string | undefined,
    consume: Consume = () => Promise.resolve({}),
  ): Promise<SignedIn | undefined> {
    const { rateLimiter, now, needsAdminFactor } = this.#deps
    const { userId } = verified
    const at = new Date(now())
    const bucket = `sessions:${userId}`
    rejectWait(await rateLimiter.hit(bucket, rateLimits.sessionsUser), 'auth.tooManySignIns')
    // A stranger's wrong codes do not use up the owner's sessions.
    const giveBack = () => rateLimiter.giveBack(bucket)
    const opened = await this.#openSession(verified, caller, at, consume).catch(async (error: unknown) => {
      await giveBack()
      throw error
    })
    if (opened === undefined) {
      await giveBack()
      return undefined
    }
    const earlierHash = hashSecret(earlierCookie)
    if (earlierHash !== undefined)
      await this.#leaveSessions(await this.#repository.endSessionOfCookie(earlierHash, userId, new Date(now()), 'replaced'))
    await this.#leaveSessions(opened.surplus)
    const { cookie, sessionToken, account } = opened
    return { cookie, sessionToken, user: presentOwnUser(account, now(), needsAdminFactor === true) }
  }

  /**
   * Opens a session and logs it in one transaction. Undefined, with nothing stored, if the account is gone, its password or
   * second factor has changed since the check, or `consume` fails.
   */
  async #openSession({ userId, passwordHash }: VerifiedAccount, caller: Caller, at: Date, consume: Consume) {
    const { mails, emails } = this.#deps
    const [cookie, sessionToken] = [newSecret(), newSecret()]
    return mails.transaction(async (transaction, send) => {
      const repository = new AuthRepository(transaction)
      // Locked until the commit, so that no session is opened for an account being erased.
      const account = await repository.lockForSignIn(userId, passwordHash)
      if (account === undefined) return undefined
      // Added while the password was being checked.
      if (passwordHash !== undefined && account.second_factor_since !== null) return undefined
      const details = await consume(transaction, at)
      if (details === undefined) return undefined
      const hashes = { cookie_hash: sha256(cookie), token_hash: sha256(sessionToken) }
      const client = { address: caller.address, user_agent: caller.userAgent }
      await transaction
        .insertInto('sessions')
        .values({ user_id: userId, ...hashes, created_at: at, last_seen_at: at, ...client })
        .execute()
      const target = { id: account.id, name: account.email }
      await writeAudit(transaction, { at, actor: account, action: 'sign-in', target, address: caller.address, details })
      await emails?.signedIn(transaction, send, userId, caller, at)
      return { cookie, sessionToken, account, surplus: await repository.endSurplusSessions(userId, { max: sessionsPerUserMax, at }) }
    })
  }

  /**
   * Records the correct password; returns the token to send with the second factor. Undefined, with nothing stored,
   * if the account is gone or its password has changed.
   */
  async #openChallenge({ userId, passwordHash }: Required<VerifiedAccount>): Promise<string | undefined> {
    const challenge = newSecret()
    const token_hash = sha256(challenge)
    const nowMs = this.#deps.now()
    const times = { created_at: new Date(nowMs), expires_at: new Date(nowMs + challengeMs) }
    return this.#deps.db.transaction().execute(async (transaction) => {
      if ((await new AuthRepository(transaction).lockForSignIn(userId, passwordHash)) === undefined) return undefined
      await transaction
        .insertInto('sign_in_challenges')
        .values({ token_hash, user_id: userId, ...times })
        .execute()
      await transaction
        .deleteFrom('sign_in_challenges')
        .where('token_hash', 'in', (all) =>
          all
            .selectFrom('sign_in_challenges')
            .select('token_hash')
            .where('user_id', '=', userId)
            .where('token_hash', '!=', token_hash)
            .orderBy('created_at', 'desc')
            .offset(challengesPerUserMax - 1),
        )
        .execute()
      return challenge
    })
  }

  /** The active sessions of the user, newest first. */
  async sessionsOf(current: CurrentSession): Promise<UserSession[]> {
    const rows = await this.#repository.sessionsOf(current.user._id)
    return rows
      .filter((row) => {
        const times = { createdAtMs: row.created_at.getTime(), lastSeenAtMs: row.last_seen_at.getTime() }
        return isSessionActive(times, current.user.role, this.#deps.now())
      })
      .map((row) => ({
        id: row.id,
        createdAt: row.created_at.toISOString(),
        lastSeenAt: row.last_seen_at.toISOString(),
        address: row.address,
        userAgent: row.user_agent,
        isCurrent: row.id === current.id,
      }))
  }

  /** Ends one of the caller's own sessions. @throws AppError not-found for any other */
  async endSession(current: CurrentSession, sessionId: string, reason: string): Promise<void> {
    const ended = await this.#repository.endSession(sessionId, current.user._id, new Date(this.#deps.now()), reason)
    await this.#leaveSessions(ended)
    if (ended.length === 0) throw new AppError('not-found', 'auth.sessionNotFound')
  }

  /**
   * Deletes what no longer matters: expired counters and links, sessions, which are the access log, a year after their last
   * use, and accounts that were never confirmed.
   */
  async sweep(): Promise<void> {
    const before = (ageMs: number) => new Date(this.#deps.now() - ageMs)
    await this.#repository.sweep(before(0), {
      sessions: before(retention.accessLogMs),
      setups: before(retention.factorSetupMs),
    })
    await this.#deps.presence.sweep(this.#deps.now())
    if (this.#deps.claimAddress !== undefined) await endUnproven(this.#deps)
  }

  /** The sessions have ended; a tab that presence failed to remove expires. */
  async #leaveSessions(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => this.#deps.presence.leaveSession(id).catch(this.#deps.onError)))
  }
}

function rejectIssue(issue: Issue<string> | undefined): void {
  if (issue !== undefined) rejectField(issue.field, issue)
}

function rejectCredentials(): never {
  throw new AppError('unauthenticated', 'auth.credentialsWrong')
}
