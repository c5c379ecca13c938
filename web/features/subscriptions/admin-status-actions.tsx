// Buttons that change a subscription, as its status allows.
import { actionsFor } from '#shared/subscriptions/status.ts'
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import type { User } from '#shared/users/user.ts'
import { cn } from '#web/lib/cn.ts'
import { useSetStatus } from './api-admin.ts'

const looks = {
  accept: { status: true, look: 'border-accent/60 text-accent hover:bg-accent/10' },
  decline: { status: false, look: 'border-line-strong text-text-2 hover:bg-line hover:text-text' },
  suspend: { status: false, look: 'border-danger/60 text-danger hover:bg-danger/10' },
} as const

export interface StatusActionsProps {
  readonly userId: string
  readonly name: string
  readonly status: User['status']
}

/** Renders nothing for a user without a request. While one call runs, the other buttons of the row are disabled. */
export function StatusActions({ userId, name, status }: StatusActionsProps) {
  const setStatus = useSetStatus()
  const actions = actionsFor(status)
  if (actions.length === 0) return null
  return (
    <span className="flex items-center gap-1.5 max-md:grid max-md:auto-cols-fr max-md:grid-flow-col">
      {actions.map((action) => {
        const { status: accepts, look } = looks[action]
        return (
          <button
            key={action}
            type="button"
            aria-label={text.actionFor(text[action], name)}
            aria-disabled={setStatus.isPending}
            onClick={() => (setStatus.isPending ? undefined : setStatus.mutate({ id: userId, status: accepts, from: status }))}
            className={cn(
              'h-6 rounded-control border px-2 text-12 font-medium transition-colors aria-disabled:opacity-60 max-md:h-9 pointer-coarse:h-11',
              look,
            )}
          >
            {text[action]}
          </button>
        )
      })}
    </span>
  )
}
