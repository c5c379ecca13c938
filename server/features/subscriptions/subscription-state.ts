// The subscription state of a user: the locked row, and the state used by the rules.
import { cancelReasonOf } from '#shared/users/access-restriction.ts'
import type { SubscriptionsRepository } from './repository.ts'

export type Subscriber = NonNullable<Awaited<ReturnType<SubscriptionsRepository['lockUser']>>>

/** Status, and whether paid days are left; a cancelled subscription has none. */
export function stateOf(user: Subscriber, nowMs: number): { status: Subscriber['status']; hasTerm: boolean } {
  return { status: user.status, hasTerm: user.status !== 'cancel' && user.premium_end !== null && user.premium_end.getTime() > nowMs }
}

/** True from the end of a paid term until it is marked, as the user is presented. */
export function isOverdue({ status, premium_end: end }: Subscriber, nowMs: number): boolean {
  return cancelReasonOf(nowMs, { status, premiumEndMs: end?.getTime() ?? null, endedBy: null }) === 'expired'
}
