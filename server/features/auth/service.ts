// The stories of accounts and sessions: sign up, sign in, who is it, sign out.
import { dayMs } from '#shared/base/durations.ts'
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/audit.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { recordConsent } from '#server/features/privacy/service.ts'
import { presentOwnUser } from '#server/features/users/present.ts'
import { limits as numbers, type Limits } from '#server/http/limits.ts'
import type { ProofOfWork } from '#server/http/proof-of-work.ts'
import type { KeyFor } from '#server/secret-key.ts'
import { findSignInFault, findSignUpFault, normaliseEmail, type Fault, type SignInForm, type SignUpForm } from '#shared/auth/rules.ts'
import { AppError } from '#shared/http/errors.ts'
import type { Proof } from '#shared/http/proof-of-work.ts'
import { findConsentFault } from '#shared/privacy/consent.ts'
import { accessLogMs, factorSetupMs, udfKeyIdleMs } from '#shared/privacy/retention.ts'
import { authText } from '#shared/text/en/auth.ts'
import { privacyText } from '#shared/text/en/privacy.ts'
import type { UserSession } from '#shared/users/contract.ts'
import type { User } from '#shared/users/user.ts'
import { isCommonPassword } from './common-passwords.ts'
import type { PasswordHasher } from './password.ts'
import { openChallenge, openSession, type Entrant } from './open-session.ts'
import { presentSession } from './present-session.ts'
import { authRepository } from './repository.ts'
import { withinSessionLimit } from './session-limit.ts'
import { hashSecret, isAlive, isSameHash } from './session-rules.ts'
import { signInGuard } from './sign-in-guard.ts'

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

/** The password was right, and the account has a second factor: what its code has to come with. */
export interface SecondFactorNeeded {
  readonly challenge: string
}

const knownAddressMs = 30 * dayMs
/** A session's last use is written at most this often. */
const seenEveryMs = 60_000

export interface AccountMails {
  signedUp(account: { readonly id: string; readonly name: string; readonly email: string }): void
  signedIn(account: { readonly id: string }, caller: Caller, at: Date): void
}

export interface AuthNeeds {
  readonly db: Db
  readonly limits: Limits
  readonly presence: Presence
  readonly hasher: PasswordHasher
  readonly keyFor: KeyFor
  readonly proofs: ProofOfWork
  readonly now: () => number
  /** True where admins may not work without a second factor. */
  readonly needsAdminFactor?: boolean
  /** Told of failures that must not undo what is already done. */
  readonly onError: (error: unknown) => void
  /** Mails of new accounts and new devices; nothing is sent where they are missing. */
  readonly emails?: AccountMails
}

/** What a browser still holds of earlier sign-ins. */
export interface HeldCookies {
  readonly session?: string | undefined
  readonly device?: string | undefined
}

/** Accounts and sessions. Times and ids come from `now` and the random source of the platform. */
export function authService(needs: AuthNeeds) {
  const { limits, presence, hasher, now, onError } = needs
  const repository = authRepository(needs.db)
  const present = (row: Parameters<typeof presentOwnUser>[0]) => presentOwnUser(row, now(), needs.needsAdminFactor === true)
  const guard = signInGuard({
    limits,
    proofs: needs.proofs,
    deviceKey: needs.keyFor('device'),
    now,
    isKnownAddress: (userId, address) => repository.isKnownAddress(userId, address, new Date(now() - knownAddressMs)),
  })

  async function endSessions(which: Parameters<typeof repository.endSessions>[0], reason: string): Promise<number> {
    const ended = await repository.endSessions(which, new Date(now()), reason)
    // The session is over by now; a tab that presence could not forget leaves by silence.
    await Promise.all(ended.map((id) => presence.leaveSession(id).catch(onError)))
    return ended.length
  }

  /**
   * Opens a session in place of the one that the caller still held. `take` uses up what else the sign-in needs, in the same
   * transaction, and answers what the log says about it; where it answers undefined, or the account is gone or has another password by now,
   * nothing happens.
   */
  async function completeSignIn(
    entrant: Entrant,
    caller: Caller,
    heldCookie: string | undefined,
    take: (transaction: Db, at: Date) => Promise<Readonly<Record<string, unknown>> | undefined> = () => Promise.resolve({}),
  ): Promise<SignedIn | undefined> {
    const at = new Date(now())
    const opened = await withinSessionLimit(limits, entrant.userId, () => openSession(needs.db, { entrant, caller, at, take }))
    if (opened === undefined) return undefined
    const heldHash = hashSecret(heldCookie)
    if (heldHash !== undefined) await endSessions({ cookieHash: heldHash }, 'replaced')
    await Promise.all(opened.surplus.map((id) => presence.leaveSession(id).catch(onError)))
    needs.emails?.signedIn(opened.account, caller, at)
    return { cookie: opened.cookie, sessionToken: opened.sessionToken, user: present(opened.account) }
  }

  return {
    /**
     * Creates an account with the plainest role and no premium, whatever else was sent.
     * With a consent its record is written as well; without one the account says so, and the person is asked later.
     * @throws AppError invalid (first fault of the form, then of the consent), conflict (email taken), too-many.
     */
    async signUp(
      form: SignUpForm & {
        readonly consent?: { readonly noticeVersion: string; readonly isAdult: boolean } | undefined
        readonly proof?: Proof | undefined
      },
      caller: Caller,
    ): Promise<void> {
      refuse(findSignUpFault(form))
      const email = normaliseEmail(form.email)
      const name = form.name.trim()
      if (isCommonPassword(form.password, { email, name })) refuse({ field: 'password', message: authText.passwordCommon })
      const { consent } = form
      if (consent !== undefined) refuse(findConsentFault(consent))
      const { address } = caller
      const flood = { limit: numbers.signUpAddress, proof: form.proof, message: authText.tooManySignUps }
      await needs.proofs.admit({ action: 'sign-up', email, address }, flood)
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
      needs.emails?.signedUp({ id: created.id, name, email })
    },

    /**
     * Checks the credentials and opens a new session; a session that the caller still held is ended. An account with a second
     * factor gets a challenge instead.
     * Unknown email and wrong password take the same way, time and answer.
     * @throws AppError invalid, unauthenticated, too-many, unavailable (too many wait for hashing).
     */
    async signIn(
      form: SignInForm & { readonly proof?: Proof | undefined },
      caller: Caller,
      held: HeldCookies = {},
    ): Promise<SignedIn | SecondFactorNeeded> {
      refuse(findSignInFault(form))
      const email = normaliseEmail(form.email)
      const account = await repository.findAccount(email)
      const attempt = { email, userId: account?.id, address: caller.address, device: held.device, proof: form.proof }
      const giveBack = await guard.admit(attempt)
      const turn = { queue: 'sign-in', owner: caller.address } as const
      if (!(await hasher.matches(form.password, account?.password_hash, turn)) || account === undefined) {
        // An email that nobody has may be a password typed into the wrong field, so it is not written down.
        const target = account === undefined ? { id: null, name: 'unknown account' } : { id: account.id, name: account.email }
        await writeAudit(needs.db, { at: new Date(now()), actor: null, action: 'sign-in-failed', target, address: caller.address })
        return refuseCredentials()
      }
      if (account.password_is_temporary && (account.temporary_password_until?.getTime() ?? Infinity) <= now())
        throw new AppError('unauthenticated', privacyText.temporaryExpired, { code: 'auth.password-expired' })
      await giveBack()
      const entrant = { userId: account.id, passwordHash: account.password_hash }
      if (account.second_factor_since === null) return (await completeSignIn(entrant, caller, held.session)) ?? refuseCredentials()
      return { challenge: (await openChallenge(needs.db, entrant, now())) ?? refuseCredentials() }
    },

    completeSignIn,

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
      return { id: row.session_id, confirmedAtMs: row.confirmed_at?.getTime() ?? times.createdAtMs, user: present(row) }
    },

    /** Whether the session of a cookie ended because its user opened too many; its device is told why. */
    async isSurplus(cookie: string | undefined): Promise<boolean> {
      const cookieHash = hashSecret(cookie)
      return cookieHash !== undefined && (await repository.isSurplus(cookieHash))
    },

    /** Own living sessions, newest first. */
    async sessionsOf(current: CurrentSession): Promise<UserSession[]> {
      const rows = await repository.sessionsOf(current.user._id)
      return rows
        .filter((row) =>
          isAlive({ createdAtMs: row.created_at.getTime(), lastSeenAtMs: row.last_seen_at.getTime() }, current.user.role, now()),
        )
        .map((row) => presentSession(row, current.id))
    },

    /** Ends one of the caller's own sessions. @throws AppError not-found for any other. */
    async endOwnSession(current: CurrentSession, sessionId: string, reason: string): Promise<void> {
      const count = await endSessions({ sessionId, userId: current.user._id }, reason)
      if (count === 0) throw new AppError('not-found', authText.sessionNotFound)
    },

    /** Deletes what can no longer matter: ended counters and links, and sessions, which are the access log, a year after their last use. */
    async sweep(): Promise<void> {
      const before = (ageMs: number) => new Date(now() - ageMs)
      await repository.sweep(before(0), { sessions: before(accessLogMs), setups: before(factorSetupMs), udfKeys: before(udfKeyIdleMs) })
      await presence.sweep(now())
    },
  }
}

export type AuthService = ReturnType<typeof authService>

function refuse(fault: Fault<string> | undefined): void {
  if (fault !== undefined) throw new AppError('invalid', fault.message, { code: 'auth.invalid', fields: { [fault.field]: fault.message } })
}
function refuseCredentials(): never {
  throw new AppError('unauthenticated', authText.credentialsWrong, { code: 'auth.credentials-wrong' })
}
