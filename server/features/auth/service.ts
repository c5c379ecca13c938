// The stories of accounts and sessions: sign up, sign in, who is it, sign out.
import { dayMs } from '#shared/base/durations.ts'
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/audit.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { recordConsent } from '#server/features/privacy/service.ts'
import { presentOwnUser } from '#server/features/users/present.ts'
import { limits as numbers, type Limits } from '#server/http/limits.ts'
import { findSignInFault, findSignUpFault, normaliseEmail, type Fault, type SignInForm, type SignUpForm } from '#shared/auth/rules.ts'
import { AppError } from '#shared/http/errors.ts'
import { findConsentFault } from '#shared/privacy/consent.ts'
import { accessLogMs } from '#shared/privacy/retention.ts'
import { authText } from '#shared/text/en/auth.ts'
import { privacyText } from '#shared/text/en/privacy.ts'
import type { UserSession } from '#shared/users/contract.ts'
import type { User } from '#shared/users/user.ts'
import { isCommonPassword } from './common-passwords.ts'
import type { PasswordHasher } from './password.ts'
import { authRepository, insertSession } from './repository.ts'
import { hashSecret, isAlive, isSameHash, newSecret, sha256 } from './session-rules.ts'

/** Where a call comes from; `limitAddress` is what limits count it under. */
export interface Caller {
  readonly address: string
  readonly userAgent: string
}

export interface CurrentSession {
  readonly id: string
  /** When its password was last given: at sign-in, or again since. */
  readonly confirmedAtMs: number
  readonly user: User
}

export interface SignedIn {
  readonly user: User
  /** Value of the cookie; leaves the server once and is stored only hashed. */
  readonly cookie: string
  /** Value of `Session-Token`, bound to that cookie. */
  readonly sessionToken: string
}

const knownAddressMs = 30 * dayMs
/** A session's last use is written at most this often. */
const seenEveryMs = 60_000

export interface AuthNeeds {
  readonly db: Db
  readonly limits: Limits
  readonly presence: Presence
  readonly hasher: PasswordHasher
  readonly now: () => number
  /** Told of failures that must not undo what is already done. */
  readonly onError: (error: unknown) => void
}

/** Accounts and sessions. Times and ids come from `now` and the random source of the platform. */
export function authService(needs: AuthNeeds) {
  const { limits, presence, hasher, now, onError } = needs
  const repository = authRepository(needs.db)

  async function endSessions(which: Parameters<typeof repository.endSessions>[0], reason: string): Promise<number> {
    const ended = await repository.endSessions(which, new Date(now()), reason)
    // The session is over by now; a tab that presence could not forget leaves by silence.
    await Promise.all(ended.map((id) => presence.leaveSession(id).catch(onError)))
    return ended.length
  }

  return {
    /**
     * Creates an account with the plainest role and no premium, whatever else was sent.
     * With a consent its record is written as well; without one the account says so, and the person is asked later.
     * @throws AppError invalid (first fault of the form, then of the consent), conflict (email taken), too-many.
     */
    async signUp(
      form: SignUpForm & { readonly consent?: { readonly noticeVersion: string; readonly isAdult: boolean } | undefined },
      caller: Caller,
    ): Promise<void> {
      refuse(findSignUpFault(form))
      const email = normaliseEmail(form.email)
      const name = form.name.trim()
      if (isCommonPassword(form.password, { email, name })) refuse({ field: 'password', message: authText.passwordCommon })
      const { consent } = form
      if (consent !== undefined) refuse(findConsentFault(consent))
      refuseFlood(await limits.hit(`sign-up:${caller.address}`, numbers.signUpAddress), authText.tooManySignUps)
      const passwordHash = await hasher.hash(form.password)
      const at = new Date(now())
      const account = { name, email, phone: form.phone, password_hash: passwordHash, created_at: at }
      const created = await needs.db.transaction().execute(async (transaction) => {
        const inserted = await authRepository(transaction).insertAccount(account)
        if (inserted !== undefined && consent !== undefined)
          await recordConsent(transaction, { userId: inserted.id, at, act: 'given', place: 'sign-up', ...consent })
        return inserted
      })
      if (created === undefined)
        throw new AppError('conflict', authText.emailTaken, { code: 'auth.email-taken', fields: { email: authText.emailTaken } })
    },

    /**
     * Checks the credentials and opens a new session; a session that the caller still held is ended.
     * Unknown email and wrong password take the same way, time and answer.
     * @throws AppError invalid, unauthenticated, too-many, unavailable (too many wait for hashing).
     */
    async signIn(form: SignInForm, caller: Caller, heldCookie: string | undefined): Promise<SignedIn> {
      refuse(findSignInFault(form))
      const email = normaliseEmail(form.email)
      const buckets = bucketsOf(email, caller.address)
      const tooMany = authText.tooManySignIns
      refuseFlood(await limits.hit(buckets.pair, numbers.signInPair), tooMany)
      refuseFlood(await limits.hit(buckets.address, numbers.signInAddress), tooMany)
      const account = await repository.findAccount(email)
      const accountWait = await limits.hit(buckets.account, numbers.signInAccount)
      if (accountWait !== undefined) {
        // Many addresses guess at one account: places where its owner has signed in before stay open to the owner.
        const since = new Date(now() - knownAddressMs)
        const isKnown = account !== undefined && (await repository.isKnownAddress(account.id, caller.address, since))
        if (!isKnown) refuseFlood(accountWait, tooMany)
      }
      if (!(await hasher.matches(form.password, account?.password_hash)) || account === undefined) {
        // An email that nobody has may be a password typed into the wrong field, so it is not written down.
        const target = account === undefined ? { id: null, name: 'unknown account' } : { id: account.id, name: account.email }
        await writeAudit(needs.db, { at: new Date(now()), actor: null, action: 'sign-in-failed', target, address: caller.address })
        throw new AppError('unauthenticated', authText.credentialsWrong, { code: 'auth.credentials-wrong' })
      }
      if (account.password_is_temporary && (account.temporary_password_until?.getTime() ?? Infinity) <= now())
        throw new AppError('unauthenticated', privacyText.temporaryExpired, { code: 'auth.password-expired' })
      await Promise.all([limits.clear(buckets.pair), limits.giveBack(buckets.address), limits.giveBack(buckets.account)])
      const heldHash = hashSecret(heldCookie)
      if (heldHash !== undefined) await endSessions({ cookieHash: heldHash }, 'replaced')
      const secrets = { cookie: newSecret(), sessionToken: newSecret() }
      const at = new Date(now())
      await needs.db.transaction().execute(async (transaction) => {
        if (!(await authRepository(transaction).holdAccount(account.id)))
          throw new AppError('unauthenticated', authText.credentialsWrong, { code: 'auth.credentials-wrong' })
        await insertSession(transaction, {
          userId: account.id,
          cookieHash: sha256(secrets.cookie),
          tokenHash: sha256(secrets.sessionToken),
          at,
          address: caller.address,
          userAgent: caller.userAgent,
        })
        await writeAudit(transaction, {
          at,
          actor: account,
          action: 'sign-in',
          target: { id: account.id, name: account.email },
          address: caller.address,
        })
      })
      return { ...secrets, user: presentOwnUser(account, now()) }
    },

    /** The living session of a cookie and the token bound to it; undefined when either is missing, foreign, ended or too old. */
    async findCurrent(cookie: string | undefined, token: string | undefined, isUse = true): Promise<CurrentSession | undefined> {
      const cookieHash = hashSecret(cookie)
      const tokenHash = hashSecret(token)
      if (cookieHash === undefined || tokenHash === undefined) return undefined
      const row = await repository.findSession(cookieHash)
      if (row === undefined || !isSameHash(row.token_hash, tokenHash)) return undefined
      const times = { createdAtMs: row.session_created_at.getTime(), lastSeenAtMs: row.last_seen_at.getTime() }
      if (!isAlive(times, row.role, now())) return undefined
      if (isUse && now() - times.lastSeenAtMs > seenEveryMs) await repository.markSeen(row.session_id, new Date(now()))
      return { id: row.session_id, confirmedAtMs: row.confirmed_at?.getTime() ?? times.createdAtMs, user: presentOwnUser(row, now()) }
    },

    /** Own living sessions, newest first. */
    async sessionsOf(current: CurrentSession): Promise<UserSession[]> {
      const rows = await repository.sessionsOf(current.user._id)
      return rows
        .filter((row) =>
          isAlive({ createdAtMs: row.created_at.getTime(), lastSeenAtMs: row.last_seen_at.getTime() }, current.user.role, now()),
        )
        .map((row) => ({
          id: row.id,
          createdAt: row.created_at.toISOString(),
          lastSeenAt: row.last_seen_at.toISOString(),
          address: row.address,
          userAgent: row.user_agent,
          isCurrent: row.id === current.id,
        }))
    },

    /** Ends one of the caller's own sessions. @throws AppError not-found for any other. */
    async endOwnSession(current: CurrentSession, sessionId: string, reason: string): Promise<void> {
      const count = await endSessions({ sessionId, userId: current.user._id }, reason)
      if (count === 0) throw new AppError('not-found', authText.sessionNotFound)
    },

    /**
     * Creates the first admin where there is none yet; true if this call did it.
     * Meant for the start: the caller made sure that the password is a good one.
     */
    async createFirstAdmin(admin: { email: string; password: string }): Promise<boolean> {
      if (await repository.hasAdmin()) return false
      const passwordHash = await hasher.hash(admin.password)
      const account = {
        name: 'Admin',
        email: admin.email,
        phone: '',
        password_hash: passwordHash,
        role: 'admin',
        created_at: new Date(now()),
      } as const
      return (await repository.insertAccount(account)) !== undefined
    },

    hasAdmin: repository.hasAdmin,

    /** Deletes what can no longer matter: ended counters and links, and sessions, which are the access log, a year after their last use. */
    async sweep(): Promise<void> {
      await repository.sweep(new Date(now()), new Date(now() - accessLogMs))
      await presence.sweep(now())
    },
  }
}

export type AuthService = ReturnType<typeof authService>

function refuse(fault: Fault<string> | undefined): void {
  if (fault !== undefined) throw new AppError('invalid', fault.message, { code: 'auth.invalid', fields: { [fault.field]: fault.message } })
}

function refuseFlood(retryAfterSeconds: number | undefined, message: string): void {
  if (retryAfterSeconds !== undefined) throw new AppError('too-many', message, { code: 'auth.too-many', retryAfterSeconds })
}

/** Emails go into the counters hashed: the table also sees those of strangers. */
function bucketsOf(email: string, address: string): { pair: string; address: string; account: string } {
  const account = sha256(email).toString('base64url').slice(0, 22)
  return { pair: `sign-in:${account}:${address}`, address: `sign-in:${address}`, account: `sign-in:${account}` }
}
