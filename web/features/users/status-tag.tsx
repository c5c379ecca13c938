// Subscription status as a word with a dot, and why it ended; an en dash without a subscription.
import type { User } from '#shared/users/user.ts'
import { none } from '#web/lib/india-date.ts'

const dots = { pending: 'bg-warn', paid: 'bg-ok', cancel: 'bg-text-3' } as const

export function StatusTag({ status, reason }: Pick<User, 'status' | 'reason'>) {
  if (status === null) return <span className="text-text-3">{none}</span>
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden className={`size-1.5 rounded-full ${dots[status]}`} />
      <span>{status}</span>
      {reason !== undefined && (
        <>
          {' '}
          <span className="text-text-3">{reason}</span>
        </>
      )}
    </span>
  )
}
