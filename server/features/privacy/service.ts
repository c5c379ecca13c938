// Use cases of a user's personal data: consent state, give and withdraw consent, export, erasure.
import type { Readable } from 'node:stream'
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import type { Presence } from '#server/features/users/presence.ts'
import type { RequestActor } from '#server/http/session.ts'
import { rateLimits, rejectWait, type RateLimiter } from '#server/http/rate-limiter.ts'
import { AppError } from '#shared/http/app-error.ts'
import { findConsentIssue } from '#shared/privacy/rules.ts'
import type { PrivacyState } from '#shared/privacy/contract.ts'
import { noticeVersion } from '#shared/privacy/notice-version.ts'
import { retention } from '#shared/privacy/retention.ts'
import { eraseAccount } from './erase-account.ts'
import { exportOf } from './export.ts'
import { privacyRepository, type NewConsent } from './repository.ts'

interface PrivacyDeps {
  readonly db: Db
  readonly rateLimiter: RateLimiter
  readonly presence: Presence
  readonly now: () => number
  /** Handles errors that must not undo completed work. */
  readonly onError: (error: unknown) => void
}

export type PrivacyService = ReturnType<typeof privacyService>

/** Records a consent change and updates the account; pass the transaction that locks or creates the account. */
export async function recordConsent(db: Db, consent: NewConsent): Promise<void> {
  await privacyRepository(db).addConsent(consent)
}

/** Consent, export and erasure, always of the caller's own account. */
export function privacyService({ db, rateLimiter, presence, now, onError }: PrivacyDeps) {
  /** Records a consent change unless it changes nothing. */
  async function setConsent(userId: string, act: 'given' | 'withdrawn'): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      const repository = privacyRepository(transaction)
      const account = await repository.lockAccount(userId)
      if (account === undefined) throw sessionMissing()
      const isUnchanged = act === 'given' ? account.consent_notice === noticeVersion : account.consent_withdrawn_at !== null
      if (isUnchanged) return
      // A withdrawal refers to the accepted version, if any.
      const version = act === 'given' ? noticeVersion : (account.consent_notice ?? 'none')
      await repository.addConsent({
        user_id: account.id,
        at: new Date(now()),
        act,
        notice_version: version,
        is_adult: act === 'given',
        place: 'account',
      })
    })
  }

  return {
    /** The caller's consent state, and when the account is erased without it. */
    async stateOf(userId: string): Promise<PrivacyState> {
      const repository = privacyRepository(db)
      const [account, last] = await Promise.all([repository.findAccount(userId), repository.lastConsent(userId)])
      if (account === undefined) throw sessionMissing()
      const { consent_withdrawn_at: withdrawnAt, consent_notice: notice } = account
      return {
        consent: withdrawnAt !== null ? 'withdrawn' : notice === noticeVersion ? 'given' : 'missing',
        noticeVersion: last?.notice_version ?? null,
        at: last?.at.toISOString() ?? null,
        erasedOn:
          withdrawnAt === null || account.role === 'admin' ? null : new Date(withdrawnAt.getTime() + retention.withdrawnMs).toISOString(),
      }
    },

    /** Accepts the current notice. @throws AppError invalid (not an adult, or another notice) */
    async give(userId: string, consent: { noticeVersion: string; isAdult: boolean }): Promise<void> {
      const issue = findConsentIssue(consent)
      if (issue !== undefined) throw new AppError('invalid', issue, { fields: { [issue.field]: issue } })
      await setConsent(userId, 'given')
    },

    /** Withdraws consent; the account is erased 30 days later unless it is given again. */
    withdraw: (userId: string): Promise<void> => setConsent(userId, 'withdrawn'),

    /** Everything that is stored about the caller, as the text of one JSON object. @throws AppError too-many */
    async exportData(actor: RequestActor): Promise<Readable> {
      rejectWait(await rateLimiter.hit(`data-export:${actor.id}`, rateLimits.dataExport), 'privacy.exportTooOften')
      const at = new Date(now())
      const target = { id: actor.id, name: actor.email }
      await writeAudit(db, { at, actor, action: 'data-exported', target, address: actor.address })
      return exportOf(db, actor.id, at)
    },

    /**
     * Erases the caller's account permanently; all its sessions end. The caller has checked the password.
     * @throws AppError conflict for the last admin
     */
    async erase(actor: RequestActor): Promise<void> {
      const request = { at: new Date(now()), address: actor.address }
      const outcome = await db.transaction().execute((transaction) => eraseAccount(transaction, actor.id, request))
      if (outcome === 'gone') throw sessionMissing()
      if (outcome === 'last-admin') throw new AppError('conflict', 'privacy.lastAdmin')
      // The account is gone by now; a tab that presence failed to remove expires.
      await Promise.all(outcome.map((id) => presence.leaveSession(id).catch(onError)))
    },
  }
}

function sessionMissing(): AppError {
  return new AppError('unauthenticated', 'auth.sessionMissing')
}
