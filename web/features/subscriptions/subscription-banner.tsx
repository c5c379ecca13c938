// One line below the header: a request that is checked, why there is no premium, or that it ends soon, and what to do.
import { useState } from 'react'
import { kitText } from '#shared/base/text/en-kit.ts'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { subscriptionEndText as text } from '#shared/subscriptions/text/en-status.ts'
import { subscriptionText } from '#shared/subscriptions/text/en.ts'
import { isEnding } from '#shared/users/access-restriction.ts'
import type { User } from '#shared/users/user.ts'
import { indiaDate } from '#web/lib/india-date.ts'
import { site } from '#web/lib/site.ts'
import { browserStorage } from '#web/lib/browser-storage.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { CloseIcon } from '#web/ui/icon.ts'

const closedKey = 'subscription-banner.closed'

export interface SubscriptionBannerProps {
  readonly user: User
  /** Opens the plans, or the pending request. */
  readonly onOpen: () => void
}

interface Line {
  readonly message: string
  /** Left out on phones, where the plans or support say it. */
  readonly note?: string
  /** Of the button that opens the plans. */
  readonly label: string | undefined
  readonly hasSupport: boolean
  readonly canClose: boolean
}

/** Once closed, it stays closed for this message. */
export function SubscriptionBanner({ user, onOpen }: SubscriptionBannerProps) {
  // An end that comes later arrives as a change of the user.
  const [openedMs] = useState(Date.now)
  const line = lineOf(user, openedMs)
  const [closed, setClosed] = useState(() => browserStorage.get(closedKey))
  if (line === undefined || closed === line.message) return null
  const { message, note, label, hasSupport, canClose } = line
  return (
    <output className="flex min-h-8 items-center gap-3 border-b border-line bg-surface py-0.5 pr-2 pl-3 text-12 text-text-2">
      <p className="min-w-0 text-pretty">
        <span className="font-medium text-text">{message}</span>
        {note !== undefined && <span className="ml-1.5 max-sm:sr-only">{note}</span>}
      </p>
      {label !== undefined && (
        <Button variant="outline" size="small" onClick={onOpen}>
          {label}
        </Button>
      )}
      {hasSupport && (
        <a href={site.supportUrl} target="_blank" rel="noopener noreferrer" className={buttonClass('outline', 'small')}>
          {marketText.support}
        </a>
      )}
      {canClose && (
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
      )}
    </output>
  )
}

function lineOf(user: User, nowMs: number): Line | undefined {
  const { status, reason, isPremium } = user
  const end = indiaDate(user.premiumEndDate)
  if (status === 'pending') {
    const note = subscriptionText.pendingText
    return { message: subscriptionText.pendingTitle, note, label: text.seeRequest, hasSupport: true, canClose: false }
  }
  if (reason === 'suspended' || reason === 'declined')
    return { message: text.titles[reason], note: text.notes[reason](end), label: undefined, hasSupport: true, canClose: true }
  // Before and after the end are two messages.
  const message = (isPremium ? text.endsOn : text.endedOn)(end)
  return isEnding(user, nowMs) ? { message, label: text.renew, hasSupport: false, canClose: true } : undefined
}
