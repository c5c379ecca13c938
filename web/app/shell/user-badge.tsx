// Signed-in user with the access level.
import { marketText } from '#shared/chart/text/en-shell.ts'
import { statusText } from '#shared/subscriptions/text/en-status.ts'
import type { User } from '#shared/users/user.ts'

export function UserBadge({ user, isPremium }: { readonly user: User; readonly isPremium: boolean }) {
  return (
    <span className="flex min-w-0 items-center gap-2 pr-1">
      <span className="truncate text-text-2" title={user.email}>
        {user.email}
      </span>
      <span
        className={`shrink-0 rounded-control border px-1.5 text-11 leading-4.5 font-medium whitespace-nowrap ${isPremium ? 'border-accent/50 text-accent' : 'border-line-strong text-text-2'}`}
      >
        {isPremium ? marketText.premiumUser : marketText.freeUser}
      </span>
      {!isPremium && user.reason !== undefined && (
        <span className="inline-block shrink-0 text-11 text-warn first-letter:uppercase">{statusText[user.reason]}</span>
      )}
    </span>
  )
}
