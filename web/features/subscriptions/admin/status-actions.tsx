// Buttons that change a subscription, as its status allows.
import { actionsFor } from '#shared/subscriptions/subscription-status.ts'
import { adminScreensText as text } from '#shared/users/text/en.ts'
import type { User } from '#shared/users/user.ts'
import { cn } from '#web/lib/cn.ts'
import { useSetStatus } from './api.ts'
import type { UnconfirmedDecision, DecisionAction } from './use-unconfirmed-decision.ts'

const looks = {
  accept: 'border-accent/60 text-accent hover:bg-accent/10',
  decline: 'border-line-strong text-text-2 hover:bg-line hover:text-text',
  suspend: 'border-danger/60 text-danger hover:bg-danger/10',
} as const

export interface StatusActionsProps {
  readonly userId: string
  readonly name: string
  readonly status: User['status']
  /** Asks for a confirmation, in a dialog that outlives the row. */
  readonly onAsk: (decision: UnconfirmedDecision) => void
}

/**
 * Renders nothing for a user without a request. Only the acceptance of a pending request is one click; the others are
 * confirmed. While that call runs, the other buttons of the row are disabled.
 */
export function StatusActions({ userId, name, status, onAsk }: StatusActionsProps) {
  const setStatus = useSetStatus(name)
  const actions = actionsFor(status)
  if (actions.length === 0) return null
  const press = (action: DecisionAction) => {
    if (setStatus.isPending) return
    if (action === 'accept' && status === 'pending') setStatus.mutate({ id: userId, status: true, from: status })
    else onAsk({ action, userId, name, from: status })
  }
  return (
    <span className="flex items-center gap-1.5 max-md:grid max-md:auto-cols-[minmax(max-content,1fr)] max-md:grid-flow-col">
      {actions.map((action) => (
        <button
          key={action}
          type="button"
          aria-label={text.actionFor(text[action], name)}
          aria-disabled={setStatus.isPending}
          onClick={() => press(action)}
          className={cn(
            'h-6 rounded-control border px-2 text-12 font-medium transition-colors aria-disabled:opacity-60 max-md:h-9 pointer-coarse:h-11',
            looks[action],
          )}
        >
          {text[action]}
        </button>
      ))}
    </span>
  )
}
