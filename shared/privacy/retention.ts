// Retention periods of personal data, as listed on the privacy page.
import { dayMs, minuteMs } from '../base/durations.ts'

export const retention = {
  /** Access log (sessions, sign-ins, IP addresses): the law requires at least a year; plus a leap day and clock skew. */
  accessLogMs: 367 * dayMs,
  /** Payments of an erased account: eight financial years after the one of the payment. */
  accountingMs: 9 * 366 * dayMs,
  /** From the withdrawal of consent to the erasure of the account, unless consent is given again. */
  withdrawnMs: 30 * dayMs,
  /** Accounts whose address is not confirmed, without an open request, an accepted payment or premium, are erased after this time. */
  unconfirmedMs: 7 * dayMs,
  /** Validity of a password set by an admin. */
  temporaryPasswordMs: dayMs,
  /** Time to enter the first code of an authenticator app setup. */
  factorSetupMs: 15 * minuteMs,
  /** Broker keys of an unfinished login are deleted after this time. */
  brokerLoginMs: dayMs,
  /** Broker keys are kept this long after premium ends, for a late renewal. */
  brokerAfterPremiumMs: 7 * dayMs,
} as const
