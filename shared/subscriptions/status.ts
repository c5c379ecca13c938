// The state machine of a subscription: which command leads from which status to which, and nothing else decides it.

export type SubscriptionStatus = 'pending' | 'paid' | 'cancel'

/** `expire` is the clock's, `submit` the user's, the others are an admin's. */
export type SubscriptionCommand = 'submit' | 'accept' | 'decline' | 'suspend' | 'expire'

export interface SubscriptionState {
  /** Null for who never asked. */
  readonly status: SubscriptionStatus | null
  /** Whether paid days are left; they outlive a request for renewal that is declined. */
  readonly hasTerm: boolean
}

/**
 * The status after a command, or undefined where the command is not possible in that state.
 * Pending once: a second request waits for the decision on the first.
 */
export function nextStatus(state: SubscriptionState, command: SubscriptionCommand): SubscriptionStatus | undefined {
  const { status, hasTerm } = state
  if (command === 'submit') return status === 'pending' ? undefined : 'pending'
  if (command === 'accept') return status === 'pending' || status === 'cancel' ? 'paid' : undefined
  if (command === 'decline') return status === 'pending' ? (hasTerm ? 'paid' : 'cancel') : undefined
  if (command === 'suspend') return status === 'paid' ? 'cancel' : undefined
  return status === 'paid' && !hasTerm ? 'cancel' : undefined
}

/** What an admin may do with a user of this status, in the order of the buttons. */
export function actionsFor(status: SubscriptionStatus | null): readonly ('accept' | 'decline' | 'suspend')[] {
  if (status === 'pending') return ['accept', 'decline']
  if (status === 'cancel') return ['accept']
  return status === 'paid' ? ['suspend'] : []
}
