// How long personal data is kept: the numbers behind the table on the privacy page.
import { dayMs, minuteMs } from '../base/durations.ts'

/** The access log (sessions, sign-ins, addresses): a year is the least that the law asks for; a leap year has a day more, and clocks differ. */
export const accessLogMs = 367 * dayMs

/** Payments of an erased account: eight financial years, and the one in which they were made. */
export const accountingMs = 9 * 366 * dayMs

/** From the withdrawal of consent to the erasure of the account, unless consent is given again. */
export const withdrawnMs = 30 * dayMs

/** How long a UDF key stays without being used. */
export const udfKeyIdleMs = 366 * dayMs

/** How long a password that an admin has set opens the account. */
export const temporaryPasswordMs = dayMs

/** How long the setup of an authenticator app waits for its first code. */
export const factorSetupMs = 15 * minuteMs

/** How long the keys of a broker are kept whose login was not finished. */
export const brokerLoginMs = dayMs

/** How long the keys of a broker outlive premium, so that a late renewal finds them. */
export const brokerAfterPremiumMs = 7 * dayMs
