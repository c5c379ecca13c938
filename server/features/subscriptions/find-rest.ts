// The paid days that a suspension has cut off.
import type { SubscriptionsRepository } from './repository.ts'
import type { Subscriber } from './subscription-state.ts'
import type { Rest } from './term.ts'

/** Undefined unless the last term was suspended before its end. */
export async function findRest(repository: SubscriptionsRepository, user: Subscriber): Promise<Rest | undefined> {
  if (user.status !== 'cancel') return undefined
  const last = await repository.lastOf(user.id, ['accept', 'suspend', 'expire'])
  if (last?.command !== 'suspend' || last.premium_end_before === null || last.premium_end_after === null) return undefined
  const ms = last.premium_end_before.getTime() - last.premium_end_after.getTime()
  return ms > 0 ? { ms, formerEnd: last.premium_end_before } : undefined
}
