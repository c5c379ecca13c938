// The rules of consent: what is missing on a form, and how an account stands.
import type { Fault } from '#shared/auth/rules.ts'
import { privacyText } from '#shared/text/en/privacy.ts'
import type { Role } from '#shared/users/user.ts'
import { noticeVersion } from './notice.ts'

/** What the two boxes say; both start empty, because a box that is ticked for somebody is no consent. */
export interface ConsentTicks {
  readonly isAdult: boolean
  readonly isAgreed: boolean
}

export const noTicks: ConsentTicks = { isAdult: false, isAgreed: false }

/** First box that is still empty, in the order of the form, or undefined. */
export function findTickFault(ticks: ConsentTicks): Fault<keyof ConsentTicks> | undefined {
  if (!ticks.isAdult) return { field: 'isAdult', message: privacyText.adultMissing }
  if (!ticks.isAgreed) return { field: 'isAgreed', message: privacyText.agreementMissing }
  return undefined
}

/** First fault of a consent as it is sent: not an adult, or agreed to a notice that is no longer the one; else undefined. */
export function findConsentFault(consent: {
  readonly noticeVersion: string
  readonly isAdult: boolean
}): Fault<'isAdult' | 'isAgreed'> | undefined {
  if (!consent.isAdult) return { field: 'isAdult', message: privacyText.adultMissing }
  if (consent.noticeVersion !== noticeVersion) return { field: 'isAgreed', message: privacyText.noticeChanged }
  return undefined
}

/**
 * What is missing of an account's consent: `missing` where none to the present notice is on record, `withdrawn` where it
 * was taken back, undefined where all is well. Admins work for the operator, which is a ground of its own.
 */
export function findConsentGap(account: {
  readonly role: Role
  readonly consentNotice: string | null
  readonly isWithdrawn: boolean
}): 'missing' | 'withdrawn' | undefined {
  if (account.role === 'admin') return undefined
  if (account.isWithdrawn) return 'withdrawn'
  return account.consentNotice === noticeVersion ? undefined : 'missing'
}
