// A user as subscriptions see one: the locked row, and the state that the rules ask for.
import type { subscriptionsRepository } from './repository.ts'

export type Repository = ReturnType<typeof subscriptionsRepository>
export type Subscriber = NonNullable<Awaited<ReturnType<Repository['lockUser']>>>

/** Status, and whether paid days are left; a cancelled subscription has none. */
export function stateOf(user: Subscriber, nowMs: number): { status: Subscriber['status']; hasTerm: boolean } {
  return { status: user.status, hasTerm: user.status !== 'cancel' && user.premium_end !== null && user.premium_end.getTime() > nowMs }
}
