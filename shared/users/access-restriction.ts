// Access policy, shared by the server's guard and the browser's UI.
import { dayMs } from '#shared/base/durations.ts'
import type { Access } from '#shared/http/route.ts'
import type { SubscriptionCommand } from '#shared/subscriptions/subscription-status.ts'
import type { CancelReason, Role, User } from './user.ts'

export interface Person {
  readonly role: Role
  readonly isPremium: boolean
  readonly mustChangePassword?: boolean | undefined
  readonly mustAddSecondFactor?: boolean | undefined
  readonly consent?: 'missing' | 'withdrawn' | undefined
}

type RequiredStep = 'password' | 'second-factor' | 'consent'

/**
 * What a user must do before premium and admin access: replace a password that an admin knows, add a required second
 * factor, or give withdrawn consent again. Consent that was never recorded is requested but blocks nothing.
 */
export function findRequiredStep(person: Person): RequiredStep | undefined {
  if (person.mustChangePassword === true) return 'password'
  if (person.mustAddSecondFactor === true) return 'second-factor'
  return person.consent === 'withdrawn' ? 'consent' : undefined
}

export type AccessRestriction = 'sign-in' | 'premium' | 'admin' | RequiredStep

/** Why this user may not call a route of this access level, or undefined. */
export function findAccessRestriction(access: Access, person: Person | undefined): AccessRestriction | undefined {
  if (access === 'anyone') return undefined
  if (person === undefined) return 'sign-in'
  if (access === 'admin') return person.role === 'admin' ? findRequiredStep(person) : 'admin'
  if (access === 'premium') return isEntitled(person) ? findRequiredStep(person) : 'premium'
  return undefined
}

/** Admins have premium access, because they support premium users. None while a step is required. */
export function hasPremium(person: Person): boolean {
  return isEntitled(person) && findRequiredStep(person) === undefined
}

function isEntitled(person: Person): boolean {
  return person.isPremium || person.role === 'admin'
}

/**
 * Premium is valid from acceptance until the end date, checked at every read, so that no job has to run in time. It stays
 * valid while a renewal request is pending; a suspension sets the end date to the current time.
 */
export function isPremiumAt(nowMs: number, status: string | null, premiumEndMs: number | null): boolean {
  return (status === 'paid' || status === 'pending') && premiumEndMs !== null && premiumEndMs > nowMs
}

const endingMs = 7 * dayMs

/** True in the last seven days of a premium that is not being renewed, and after it has expired. Admins need none. */
export function isEnding(user: Pick<User, 'role' | 'reason' | 'isPremium' | 'status' | 'premiumEndDate'>, nowMs: number): boolean {
  if (user.role === 'admin') return false
  if (!user.isPremium || user.status === 'pending') return user.reason === 'expired'
  return user.premiumEndDate !== null && Date.parse(user.premiumEndDate) - nowMs <= endingMs
}

const reasonByCommand = { expire: 'expired', suspend: 'suspended', decline: 'declined' } as const

/**
 * Why a user has no premium any more: expired (from the end date on, before any job marks it), suspended or declined.
 * `endedBy` is the last command that cancelled the subscription. Undefined in all other states.
 */
export function cancelReasonOf(
  nowMs: number,
  {
    status,
    premiumEndMs,
    endedBy,
  }: { status: string | null; premiumEndMs: number | null; endedBy: SubscriptionCommand | 'months' | 'undo' | null },
): CancelReason | undefined {
  if (status === 'paid') return premiumEndMs !== null && premiumEndMs <= nowMs ? 'expired' : undefined
  if (status !== 'cancel' || endedBy === null || !(endedBy in reasonByCommand)) return undefined
  return reasonByCommand[endedBy as keyof typeof reasonByCommand]
}
