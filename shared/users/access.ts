// Who may what: the policy for the server's guard and for the browser's buttons.
import type { Access } from '#shared/http/route.ts'
import type { Role } from './user.ts'

export interface Person {
  readonly role: Role
  readonly isPremium: boolean
  readonly mustChangePassword?: boolean | undefined
  readonly mustAddSecondFactor?: boolean | undefined
  readonly consent?: 'missing' | 'withdrawn' | undefined
}

/**
 * What closes premium and the admin area to an account that has them: a password that an admin knows, a second factor
 * that is required and missing, or a consent that was taken back. A consent that was never recorded is asked for and closes nothing.
 */
export function findHold(person: Person): 'password' | 'second-factor' | 'consent' | undefined {
  if (person.mustChangePassword === true) return 'password'
  if (person.mustAddSecondFactor === true) return 'second-factor'
  return person.consent === 'withdrawn' ? 'consent' : undefined
}

/** What stands in the way of this person on a route of this access word, or undefined if nothing does. */
export function findObstacle(access: Access, person: Person | undefined): 'sign-in' | 'premium' | 'admin' | ReturnType<typeof findHold> {
  if (access === 'anyone') return undefined
  if (person === undefined) return 'sign-in'
  if (access === 'admin') return person.role === 'admin' ? findHold(person) : 'admin'
  if (access === 'premium') return isEntitled(person) ? findHold(person) : 'premium'
  return undefined
}

/** Admins see what premium users see: they answer for it. Nobody does while the account is on hold. */
export function hasPremium(person: Person): boolean {
  return isEntitled(person) && findHold(person) === undefined
}

function isEntitled(person: Person): boolean {
  return person.isPremium || person.role === 'admin'
}

/**
 * Premium holds from acceptance until the end date, judged at every read, so that no job has to run in time. It goes on
 * while a request for renewal is pending; a suspension moves the end date to its own moment.
 */
export function isPremiumAt(nowMs: number, status: string | null, premiumEndMs: number | null): boolean {
  return (status === 'paid' || status === 'pending') && premiumEndMs !== null && premiumEndMs > nowMs
}
