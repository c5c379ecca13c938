// The stories of one's own data: how consent stands, give and withdraw it, take everything along, erase the account.
import type { Readable } from 'node:stream'
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/audit.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { limits as numbers, type Limits } from '#server/http/limits.ts'
import { AppError } from '#shared/http/errors.ts'
import { findConsentFault } from '#shared/privacy/consent.ts'
import type { PrivacyState } from '#shared/privacy/contract.ts'
import { noticeVersion } from '#shared/privacy/notice.ts'
import { withdrawnMs } from '#shared/privacy/retention.ts'
import { authText } from '#shared/text/en/auth.ts'
import { privacyText as text } from '#shared/text/en/privacy.ts'
import type { User } from '#shared/users/user.ts'
import { eraseAccount } from './erase.ts'
import { exportOf } from './export.ts'
import { privacyRepository, type NewConsent } from './repository.ts'

/** Whose session it is, and where the call comes from. */
export interface Owner {
  readonly user: Pick<User, '_id' | 'email'>
  readonly address: string
}

export interface PrivacyNeeds {
  readonly db: Db
  readonly limits: Limits
  readonly presence: Presence
  readonly now: () => number
  /** Told of failures that must not undo what is already done. */
  readonly onError: (error: unknown) => void
}

export type PrivacyService = ReturnType<typeof privacyService>

/** Writes one act of consent and what the account shows of it; give it the transaction that locks or makes the account. */
export async function recordConsent(db: Db, consent: NewConsent): Promise<void> {
  await privacyRepository(db).addConsent(consent)
}

/** Consent, export and erasure. Every act works on the caller's own account and on no other. */
export function privacyService(needs: PrivacyNeeds) {
  const { db, limits, presence, now } = needs

  /** Records an act of consent unless it changes nothing. */
  async function setConsent(owner: Owner, act: 'given' | 'withdrawn'): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      const repository = privacyRepository(transaction)
      const account = await repository.lockAccount(owner.user._id)
      if (account === undefined) throw gone()
      const isSo = act === 'given' ? account.consent_notice === noticeVersion : account.consent_withdrawn_at !== null
      if (isSo) return
      // A withdrawal is of what was agreed to, if anything was.
      const version = act === 'given' ? noticeVersion : (account.consent_notice ?? 'none')
      await repository.addConsent({
        userId: account.id,
        at: new Date(now()),
        act,
        noticeVersion: version,
        isAdult: act === 'given',
        place: 'account',
      })
    })
  }

  return {
    /** How the caller's consent stands, and when the account is erased for the want of it. */
    async stateOf(owner: Owner): Promise<PrivacyState> {
      const repository = privacyRepository(db)
      const [account, last] = await Promise.all([repository.findAccount(owner.user._id), repository.lastConsent(owner.user._id)])
      if (account === undefined) throw gone()
      const { consent_withdrawn_at: withdrawnAt, consent_notice: notice } = account
      return {
        consent: withdrawnAt !== null ? 'withdrawn' : notice === noticeVersion ? 'given' : 'missing',
        noticeVersion: last?.notice_version ?? null,
        at: last?.at.toISOString() ?? null,
        erasedOn: withdrawnAt === null || account.role === 'admin' ? null : new Date(withdrawnAt.getTime() + withdrawnMs).toISOString(),
      }
    },

    /** Agrees to the present notice. @throws AppError invalid (not an adult, or another notice). */
    async give(owner: Owner, consent: { noticeVersion: string; isAdult: boolean }): Promise<void> {
      const fault = findConsentFault(consent)
      if (fault !== undefined)
        throw new AppError('invalid', fault.message, { code: 'privacy.invalid', fields: { [fault.field]: fault.message } })
      await setConsent(owner, 'given')
    },

    /** Takes the consent back; the account is erased 30 days later unless it is given again. */
    withdraw: (owner: Owner): Promise<void> => setConsent(owner, 'withdrawn'),

    /** Everything that is stored about the caller as the text of one JSON object. @throws AppError too-many. */
    async exportData(owner: Owner): Promise<Readable> {
      const wait = await limits.hit(`data-export:${owner.user._id}`, numbers.dataExport)
      if (wait !== undefined) throw new AppError('too-many', text.exportTooOften, { code: 'privacy.too-many', retryAfterSeconds: wait })
      const at = new Date(now())
      const actor = { id: owner.user._id, email: owner.user.email }
      const target = { id: actor.id, name: actor.email }
      await writeAudit(db, { at, actor, action: 'data-exported', target, address: owner.address })
      return exportOf(db, owner.user._id, at)
    },

    /**
     * Erases the caller's account for good; all its sessions end. The caller has made sure of the password.
     * @throws AppError conflict for the last admin.
     */
    async erase(owner: Owner): Promise<void> {
      const request = { at: new Date(now()), address: owner.address }
      const outcome = await db.transaction().execute((transaction) => eraseAccount(transaction, owner.user._id, request))
      if (outcome === 'gone') throw gone()
      if (outcome === 'last-admin') throw new AppError('conflict', text.lastAdmin, { code: 'privacy.last-admin' })
      // The account is gone by now; a tab that presence could not forget leaves by silence.
      await Promise.all(outcome.map((id) => presence.leaveSession(id).catch(needs.onError)))
    },
  }
}

function gone(): AppError {
  return new AppError('unauthenticated', authText.sessionMissing, { code: 'auth.session-missing' })
}
