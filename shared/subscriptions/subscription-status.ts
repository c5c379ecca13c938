// Subscription state machine: the only definition of its transitions.

export type SubscriptionStatus = 'pending' | 'paid' | 'cancel'

/** `expire` is triggered by time, `submit` by the user, the others by an admin. */
export type SubscriptionCommand = 'submit' | 'accept' | 'decline' | 'suspend' | 'expire'

export interface SubscriptionState {
  /** Null without any request. */
  readonly status: SubscriptionStatus | null
  /** Whether paid days remain; they are kept when a renewal request is declined. */
  readonly hasTerm: boolean
}

/**
 * The status after a command, or undefined where the command is not possible in that state.
 * A pending request blocks a second one until it is decided.
 */
export function nextStatus(state: SubscriptionState, command: SubscriptionCommand): SubscriptionStatus | undefined {
  const { status, hasTerm } = state
  if (command === 'submit') return status === 'pending' ? undefined : 'pending'
  if (command === 'accept') return status === 'pending' || status === 'cancel' ? 'paid' : undefined
  if (command === 'decline') return status === 'pending' ? (hasTerm ? 'paid' : 'cancel') : undefined
  if (command === 'suspend') return status === 'paid' ? 'cancel' : undefined
  return status === 'paid' && !hasTerm ? 'cancel' : undefined
}

/** Admin commands for this status, in the order of the buttons. */
export function actionsFor(status: SubscriptionStatus | null): readonly ('accept' | 'decline' | 'suspend')[] {
  if (status === 'pending') return ['accept', 'decline']
  if (status === 'cancel') return ['accept']
  return status === 'paid' ? ['suspend'] : []
}
