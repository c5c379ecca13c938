// Why a user has no premium any more: expired, suspended or declined.
import { subscriptionEndText as text } from '#shared/subscriptions/text/en-status.ts'
import type { User } from '#shared/users/user.ts'
import { indiaDate } from '#web/lib/india-date.ts'
import { InfoIcon } from '#web/ui/icon.ts'

/** Renders nothing for a user without a reason. */
export function EndNotice({ user: { reason, premiumEndDate } }: { readonly user: User }) {
  if (reason === undefined) return null
  return (
    <div className="flex gap-3 rounded-panel border border-line bg-surface px-3 py-3">
      <InfoIcon aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" strokeWidth={1.75} />
      <div className="min-w-0">
        <h3 className="text-14 font-semibold">{text.titles[reason]}</h3>
        <p className="text-13 text-pretty text-text-2">{text.notes[reason](indiaDate(premiumEndDate))}</p>
      </div>
    </div>
  )
}
