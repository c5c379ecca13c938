// A row of users as it is returned.
import { sql, type Selectable } from 'kysely'
import type { HistoryCommand, UsersTable } from '#server/db/tables.ts'
import { findConsentGap } from '#shared/privacy/rules.ts'
import { cancelReasonOf, isPremiumAt } from '#shared/users/access-restriction.ts'
import type { User } from '#shared/users/user.ts'

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
  sql<HistoryCommand | null>`case when users.status = 'cancel' then (
    select ending.command from subscription_history ending
    where ending.user_id = users.id and ending.command in ('expire', 'suspend', 'decline') order by ending.id desc limit 1
  ) end`.as('ended_by'),
] as const

/** Columns of the admin's list. */
export const listedUserColumns = [...publicUserColumns, 'users.second_factor_since'] as const

/** Additional columns that only the account itself sees. */
export const ownUserColumns = [
  ...publicUserColumns,
  'users.password_is_temporary',
  'users.consent_notice',
  'users.consent_withdrawn_at',
  'users.second_factor_since',
] as const

type ColumnOf<Column> = Column extends `users.${infer Name extends keyof UsersTable}` ? Name : never
type RowOf<Columns extends readonly unknown[]> = Pick<Selectable<UsersTable>, ColumnOf<Columns[number]>> & {
  /** The last command that cancelled the subscription, for a cancelled one. */
  readonly ended_by: HistoryCommand | null
}
export type PublicUserRow = RowOf<typeof publicUserColumns>
export type ListedUserRow = RowOf<typeof listedUserColumns>

/**
 * The user as returned to its own account: pending obligations are included only if there are any. `needsAdminFactor` is true
 * if admins must have a second factor.
 */
export function presentOwnUser(row: RowOf<typeof ownUserColumns>, nowMs: number, needsAdminFactor: boolean): User {
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

/** The user in the list of an admin, who may reset a second factor if there is one. */
export function presentListedUser(row: ListedUserRow, nowMs: number): User {
  return { ...presentUser(row, nowMs), ...(row.second_factor_since === null ? {} : { hasSecondFactor: true }) }
}

/** The public user; premium is evaluated at `nowMs`, so an expiry needs no job. Admins always have it. */
export function presentUser(row: PublicUserRow, nowMs: number): User {
  const premiumEndMs = row.premium_end?.getTime() ?? null
  const reason = cancelReasonOf(nowMs, { status: row.status, premiumEndMs, endedBy: row.ended_by })
  return {
    _id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    role: row.role,
    isPremium: row.role === 'admin' || isPremiumAt(nowMs, row.status, premiumEndMs),
    // Over from its end on, before any job has marked it.
    status: reason === undefined ? row.status : 'cancel',
    ...(reason === undefined ? {} : { reason }),
    premiumStartDate: row.premium_start?.toISOString() ?? null,
    premiumEndDate: row.premium_end?.toISOString() ?? null,
    subscriptionMonths: row.subscription_months,
    paymentType: row.payment_type,
    utrNo: row.utr_no,
  }
}
