// Subscription status as a word with a dot, and why it ended; an en dash without a subscription.
import { statusText } from '#shared/text/en/statuses.ts'
import type { User } from '#shared/users/user.ts'
import { none } from '#web/lib/india-date.ts'

const dots = { pending: 'bg-warn', paid: 'bg-ok', cancel: 'bg-text-3' } as const

export function StatusTag({ status, reason }: Pick<User, 'status' | 'reason'>) {
  if (status === null) return <span className="text-text-3">{none}</span>
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden className={`size-1.5 shrink-0 rounded-full ${dots[status]}`} />
      {/* One below the other where the table is short of space: a wide column would hide the references. */}
      <span className="leading-none md:max-2xl:grid">
        <span>{statusText[status]}</span>
        {reason !== undefined && (
          <>
            {' '}
            <span className="text-text-3 md:max-2xl:text-11 md:max-2xl:leading-none">{statusText[reason]}</span>
          </>
        )}
      </span>
    </span>
  )
}
