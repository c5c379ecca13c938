// Who may what: the policy for the server's guard and for the browser's buttons.
import type { Access } from '#shared/http/route.ts'
import type { Role } from './user.ts'

export interface Person {
  readonly role: Role
  readonly isPremium: boolean
}

/** What stands in the way of this person on a route of this access word, or undefined if nothing does. */
export function findObstacle(access: Access, person: Person | undefined): 'sign-in' | 'premium' | 'admin' | undefined {
  if (access === 'anyone') return undefined
  if (person === undefined) return 'sign-in'
  if (access === 'admin') return person.role === 'admin' ? undefined : 'admin'
  if (access === 'premium') return hasPremium(person) ? undefined : 'premium'
  return undefined
}

/** Admins see what premium users see: they answer for it. */
export function hasPremium(person: Person): boolean {
  return person.isPremium || person.role === 'admin'
}

/**
 * Premium holds from acceptance until the end date, judged at every read, so that no job has to run in time. It goes on
 * while a request for renewal is pending; a suspension moves the end date to its own moment.
 */
export function isPremiumAt(nowMs: number, status: string | null, premiumEndMs: number | null): boolean {
  return (status === 'paid' || status === 'pending') && premiumEndMs !== null && premiumEndMs > nowMs
}
