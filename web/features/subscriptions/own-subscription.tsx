// Subscription of the user, with a button to buy or renew premium.
import { marketText } from '#shared/chart/text/en-shell.ts'
import { accountText as text } from '#shared/auth/text/en-account.ts'
import { statusText } from '#shared/subscriptions/text/en-status.ts'
import { hasPremium } from '#shared/users/access-restriction.ts'
import type { User } from '#shared/users/user.ts'
import { indiaDate, indiaDateTime } from '#web/lib/india-date.ts'
import { Button } from '#web/ui/button.tsx'
import { ZapIcon } from '#web/ui/icon.ts'
import { LazyEndNotice } from './lazy-end-notice.ts'
import { PendingNotice } from './pending-notice.tsx'
import { useQuery } from '@tanstack/react-query'
import { monthLabel } from '#shared/plans/plan.ts'
import type { SubscriptionChange } from '#shared/subscriptions/contract.ts'
import type { DataColumn } from '#web/ui/data-column.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { FailureNotice } from '#web/ui/notice.tsx'
import { actorName } from './actor-name.ts'
import { ownHistoryQuery } from './api.ts'

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

export function OwnHistory({ email }: { readonly email: string }) {
  const query = useQuery(ownHistoryQuery)
  if (query.isLoadingError) return <FailureNotice query={query} fallback={text.historyFailed} />
  return (
    <DataTable
      label={text.historyTable}
      columns={columnsFor(email)}
      rows={query.data}
      rowKey={({ id }) => id}
      empty={text.historyEmpty}
      expectedRows={2}
    />
  )
}

function columnsFor(email: string): readonly DataColumn<SubscriptionChange>[] {
  return [
    { id: 'what', head: text.what, cell: ({ command }) => text.changes[command], card: 'title' },
    { id: 'when', head: text.when, cell: ({ at }) => <time dateTime={at}>{indiaDateTime(at)}</time> },
    { id: 'months', head: text.months, cell: ({ months }) => (months > 0 ? monthLabel(months) : text.none) },
    { id: 'until', head: text.premiumUntil, cell: ({ premiumEndAfter }) => indiaDate(premiumEndAfter) },
    { id: 'by', head: text.by, cell: ({ actor }) => (actor === email ? text.you : actorName(actor)) },
  ]
}
