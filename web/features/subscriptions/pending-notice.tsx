// Shown instead of the form while a request is pending.
import type { User } from '#shared/users/user.ts'
import { purchaseText } from '#shared/subscriptions/text/en-purchase.ts'
import { subscriptionText } from '#shared/subscriptions/text/en.ts'
import { InfoIcon } from '#web/ui/icon.ts'
import { NumericText } from '#web/ui/numeric-text.tsx'

export function PendingNotice({ user }: { readonly user: User }) {
  return (
    <div className="flex gap-3 rounded-panel border border-line bg-surface px-3 py-3">
      <InfoIcon aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" strokeWidth={1.75} />
      <div className="min-w-0">
        <h3 className="text-14 font-semibold">{subscriptionText.pendingTitle}</h3>
        <p className="text-13 text-text-2">{subscriptionText.pendingText}</p>
        {user.utrNo !== null && (
          <p className="mt-2 text-12 text-text-3">
            {purchaseText.yourReference} <NumericText className="[overflow-wrap:anywhere] text-text-2">{user.utrNo}</NumericText>
          </p>
        )}
      </div>
    </div>
  )
}
