// Consent rules: validation of the form, and the consent state of an account.
import type { privacyText } from '#shared/privacy/text/en.ts'
import type { CodeOf, Issue } from '#shared/messages/message.ts'
import type { Role } from '#shared/users/user.ts'
import { noticeVersion } from './notice-version.ts'

type PrivacyIssue<Field extends string> = Issue<Field, CodeOf<'privacy', typeof privacyText>>

/** State of the two boxes; both start unchecked, because a preticked box is not consent. */
export interface ConsentTicks {
  readonly isAdult: boolean
  readonly isAgreed: boolean
}

export const noTicks: ConsentTicks = { isAdult: false, isAgreed: false }

/** First unchecked box, in the order of the form, or undefined. */
export function findTickIssue(ticks: ConsentTicks): PrivacyIssue<keyof ConsentTicks> | undefined {
  if (!ticks.isAdult) return { field: 'isAdult', code: 'privacy.adultMissing' }
  if (!ticks.isAgreed) return { field: 'isAgreed', code: 'privacy.agreementMissing' }
  return undefined
}

/** First error of a submitted consent: not an adult, or agreed to an outdated notice; else undefined. */
export function findConsentIssue(consent: {
  readonly noticeVersion: string
  readonly isAdult: boolean
}): PrivacyIssue<'isAdult' | 'isAgreed'> | undefined {
  if (!consent.isAdult) return { field: 'isAdult', code: 'privacy.adultMissing' }
  if (consent.noticeVersion !== noticeVersion) return { field: 'isAgreed', code: 'privacy.noticeChanged' }
  return undefined
}

/**
 * What is missing of an account's consent: `missing` without a record for the current notice, `withdrawn` after a
 * withdrawal, undefined if it is valid. Admins work for the operator, which is a separate legal ground.
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
