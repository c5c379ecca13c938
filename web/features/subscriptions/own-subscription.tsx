// Subscription of the user, with a button to buy or renew premium.
import { marketText } from '#shared/chart/text/en-shell.ts'
import { accountText as text } from '#shared/auth/text/en-account.ts'
import { statusText } from '#shared/subscriptions/text/en-status.ts'
import { hasPremium } from '#shared/users/access-restriction.ts'
import type { User } from '#shared/users/user.ts'
import { indiaDate } from '#web/lib/india-date.ts'
import { Button } from '#web/ui/button.tsx'
import { ZapIcon } from '#web/ui/icon.ts'
import { LazyEndNotice } from './lazy-end-notice.ts'
import { PendingNotice } from './pending-notice.tsx'

export interface OwnSubscriptionProps {
  readonly user: User
  readonly onWantPremium: () => void
}

export function OwnSubscription({ user, onWantPremium }: OwnSubscriptionProps) {
  const status = user.reason ?? user.status
  const lines = [
    [text.access, hasPremium(user) ? marketText.premiumUser : marketText.freeUser],
    [text.status, status === null ? text.none : statusText[status]],
    [text.start, indiaDate(user.premiumStartDate)],
    [text.end, indiaDate(user.premiumEndDate)],
    [text.months, user.subscriptionMonths > 0 ? String(user.subscriptionMonths) : text.none],
    [text.paymentType, user.paymentType?.toUpperCase() ?? text.notAvailable],
    [text.reference, user.utrNo ?? text.notAvailable],
  ] as const
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3 lg:grid-cols-4">
        {lines.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-12 text-text-3">{name}</dt>
            <dd className="text-14 tabular-nums [overflow-wrap:anywhere] first-letter:uppercase">{value}</dd>
          </div>
        ))}
      </dl>
      {user.status === 'pending' ? (
        <PendingNotice user={user} />
      ) : (
        <>
          {user.reason !== undefined && <LazyEndNotice user={user} />}
          {user.role !== 'admin' && (
            <Button
              className="justify-self-start"
              onClick={onWantPremium}
              icon={<ZapIcon aria-hidden className="size-3.5" strokeWidth={1.75} />}
            >
              {user.isPremium || user.reason === 'expired' ? text.renew : marketText.seePremium}
            </Button>
          )}
        </>
      )}
    </div>
  )
}
