// The decision that an admin is asked to confirm; the list keeps it, because the row may go while the dialog is open.
import { useState } from 'react'
import type { SubscriptionStatus } from '#shared/subscriptions/subscription-status.ts'

export type DecisionAction = 'accept' | 'decline' | 'suspend'

export interface UnconfirmedDecision {
  readonly action: DecisionAction
  readonly userId: string
  readonly name: string
  /** The status that the decision is based on. */
  readonly from: SubscriptionStatus | null
}

export interface DecisionInDialog extends UnconfirmedDecision {
  readonly isOpen: boolean
  /** Number of the opening; each starts with empty fields. */
  readonly opening: number
}

/** The decision stays while its dialog closes. */
export function useUnconfirmedDecision() {
  const [shown, setShown] = useState<DecisionInDialog>()
  return {
    shown,
    ask: (decision: UnconfirmedDecision) => setShown((before) => ({ ...decision, isOpen: true, opening: (before?.opening ?? 0) + 1 })),
    close: () => setShown((before) => before && { ...before, isOpen: false }),
  }
}
