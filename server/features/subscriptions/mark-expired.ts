// Ends a subscription whose term is over.
import type { SubscriptionsRepository } from './repository.ts'
import type { Subscriber } from './subscription-state.ts'

/** Marks the locked user as cancelled, with a row of the history without an actor. Returns the user as it is then. */
export async function markExpired(repository: SubscriptionsRepository, user: Subscriber, at: Date): Promise<Subscriber> {
  await repository.updateUser(user.id, { status: 'cancel' })
  await repository.addHistory({
    userId: user.id,
    requestId: null,
    actorId: null,
    command: 'expire',
    reason: 'expired',
    at,
    before: { status: user.status, premiumEnd: user.premium_end },
    after: { status: 'cancel', premiumEnd: user.premium_end, months: user.subscription_months },
  })
  return { ...user, status: 'cancel' }
}
