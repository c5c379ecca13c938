// One line below the header in the last seven days of premium and after its end, with the way to renew.
import { useState } from 'react'
import { kitText } from '#shared/text/en/kit.ts'
import { subscriptionEndText as text } from '#shared/text/en/subscription-end.ts'
import { isEnding } from '#shared/users/access.ts'
import type { User } from '#shared/users/user.ts'
import { indiaDate } from '#web/lib/india-date.ts'
import { browserStorage } from '#web/lib/storage.ts'
import { Button } from '#web/ui/button.tsx'
import { CloseIcon } from '#web/ui/icon.ts'

const closedKey = 'ending-banner.closed'

export interface EndingBannerProps {
  readonly user: User
  readonly onRenew: () => void
}

/** Once closed, it stays closed for this end date. */
export function EndingBanner({ user, onRenew }: EndingBannerProps) {
  const { isPremium, premiumEndDate } = user
  // An end that comes later arrives as a change of the user.
  const [openedMs] = useState(Date.now)
  // Before and after the end are two messages.
  const message = (isPremium ? text.endsOn : text.endedOn)(indiaDate(premiumEndDate))
  const [closed, setClosed] = useState(() => browserStorage.get(closedKey))
  if (closed === message || !isEnding(user, openedMs)) return null
  return (
    <output className="flex min-h-8 items-center gap-3 border-b border-line bg-surface py-0.5 pr-2 pl-3 text-12 text-text-2">
      <span>{message}</span>
      <Button variant="outline" size="small" onClick={onRenew}>
        {text.renew}
      </Button>
      <button
        type="button"
        aria-label={kitText.close}
        onClick={() => {
          browserStorage.set(closedKey, message)
          setClosed(message)
        }}
        className="ml-auto grid size-7 shrink-0 place-items-center rounded-control text-text-3 hover:bg-hover hover:text-text pointer-coarse:size-11"
      >
        <CloseIcon aria-hidden className="size-3.5" strokeWidth={1.5} />
      </button>
    </output>
  )
}
