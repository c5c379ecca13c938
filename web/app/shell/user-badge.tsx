// Who is signed in, with the word for what the account may see.
import { marketText } from '#shared/text/en/market.ts'
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
    </span>
  )
}
