// A user row as the wire shows it.
import type { Selectable } from 'kysely'
import type { UsersTable } from '#server/db/tables.ts'
import { findConsentGap } from '#shared/privacy/consent.ts'
import { isPremiumAt } from '#shared/users/access.ts'
import type { User } from '#shared/users/user.ts'

export type PublicUserRow = Pick<
  Selectable<UsersTable>,
  | 'id'
  | 'name'
  | 'email'
  | 'phone'
  | 'role'
  | 'status'
  | 'premium_start'
  | 'premium_end'
  | 'subscription_months'
  | 'payment_type'
  | 'utr_no'
>

export const publicUserColumns = [
  'users.id',
  'users.name',
  'users.email',
  'users.phone',
  'users.role',
  'users.status',
  'users.premium_start',
  'users.premium_end',
  'users.subscription_months',
  'users.payment_type',
  'users.utr_no',
] as const

/** What only the account itself gets to know, beside the public columns. */
export const ownUserColumns = [
  ...publicUserColumns,
  'users.password_is_temporary',
  'users.consent_notice',
  'users.consent_withdrawn_at',
  'users.second_factor_since',
] as const

type OwnUserRow = PublicUserRow &
  Pick<Selectable<UsersTable>, 'password_is_temporary' | 'consent_notice' | 'consent_withdrawn_at' | 'second_factor_since'>

/**
 * The user as he or she sees the own account: what still has to be done is named, and only then. `needsAdminFactor` is true
 * where admins may not be without a second factor.
 */
export function presentOwnUser(row: OwnUserRow, nowMs: number, needsAdminFactor: boolean): User {
  const consent = findConsentGap({
    role: row.role,
    consentNotice: row.consent_notice,
    isWithdrawn: row.consent_withdrawn_at !== null,
  })
  return {
    ...presentUser(row, nowMs),
    ...(row.password_is_temporary ? { mustChangePassword: true } : {}),
    ...(needsAdminFactor && row.role === 'admin' && row.second_factor_since === null ? { mustAddSecondFactor: true } : {}),
    ...(consent === undefined ? {} : { consent }),
  }
}

/** The wire's user; premium is judged at `nowMs`, so an end date needs no job to be in force. */
export function presentUser(row: PublicUserRow, nowMs: number): User {
  return {
    _id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    role: row.role,
    isPremium: isPremiumAt(nowMs, row.status, row.premium_end?.getTime() ?? null),
    status: row.status,
    premiumStartDate: row.premium_start?.toISOString() ?? null,
    premiumEndDate: row.premium_end?.toISOString() ?? null,
    subscriptionMonths: row.subscription_months,
    paymentType: row.payment_type,
    utrNo: row.utr_no,
  }
}
