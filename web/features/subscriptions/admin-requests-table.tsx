// Pending requests, with the data an admin compares before deciding.
import { useQuery } from '@tanstack/react-query'
import { monthLabel } from '#shared/plans/plan.ts'
import type { SubscriptionRequest } from '#shared/subscriptions/contract.ts'
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import { ageText, indiaDateTime, none } from '#web/lib/india-date.ts'
import { formatMoney } from '#shared/base/money.ts'
import { useNow } from '#web/lib/use-now.ts'
import type { Column } from '#web/ui/data-columns.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { WarningIcon } from '#web/ui/icon.ts'
import { FailureNotice } from '#web/ui/notice.tsx'
import { StatusActions } from './admin-status-actions.tsx'
import { requestsQuery } from './api-admin.ts'

const { requestColumns: heads } = text

/** Renders loading, empty, error and data states. */
export function RequestsTable() {
  const query = useQuery(requestsQuery)
  if (query.isLoadingError) return <FailureNotice query={query} />
  return <DataTable label={text.requestedUsers} columns={columns} rows={query.data} rowKey={({ id }) => id} empty={text.requestsEmpty} />
}

const columns: readonly Column<SubscriptionRequest>[] = [
  { id: 'user', head: heads.user, card: 'title', className: 'py-1.5', cell: (request) => <Person request={request} /> },
  { id: 'age', head: heads.age, cell: ({ createdAt }) => <Age at={createdAt} /> },
  { id: 'amount', head: heads.amount, className: 'text-right', cell: (request) => <Amount request={request} /> },
  { id: 'reference', card: 'wide', head: heads.reference, cell: (request) => <Reference request={request} /> },
  { id: 'seen', head: heads.seen, cell: ({ earlierRequests }) => <Seen count={earlierRequests} /> },
  { id: 'hint', card: 'wide', head: heads.hint, cell: ({ hint }) => <Hint hint={hint} /> },
  {
    id: 'action',
    head: heads.action,
    card: 'actions',
    cell: ({ userId, name }) => <StatusActions userId={userId} name={name} status="pending" />,
  },
]

function Person({ request: { name, email, phone } }: { readonly request: SubscriptionRequest }) {
  return (
    <span className="block max-w-44 min-w-0 max-md:max-w-full">
      <span className="block truncate font-medium" title={name}>
        {name}
      </span>
      <span className="block truncate text-12 font-normal text-text-2" title={`${email} ${phone}`}>
        {email}
      </span>
    </span>
  )
}

function Age({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={indiaDateTime(at)}>
      {ageText(at, useNow())}
    </time>
  )
}

function Amount({ request: { price, currency, months } }: { readonly request: SubscriptionRequest }) {
  return (
    <span>
      <span className="block font-medium">{formatMoney(price, currency)}</span>
      <span className="block text-text-2">{monthLabel(months)}</span>
    </span>
  )
}

function Reference({ request: { utrNo, rail, type } }: { readonly request: SubscriptionRequest }) {
  return (
    <span className="block max-w-48 min-w-0 max-md:max-w-full">
      <span className="block truncate select-all" title={utrNo}>
        {utrNo}
      </span>
      <span className="block text-text-2">
        {rail.toUpperCase()}, {type}
      </span>
    </span>
  )
}

function Seen({ count }: { readonly count: number }) {
  return count === 0 ? (
    <span className="text-text-2">{text.firstRequest}</span>
  ) : (
    <span className="text-warn">{text.earlierRequests(count)}</span>
  )
}

function Hint({ hint }: { readonly hint: string | null }) {
  if (hint === null || hint === '') return <span className="text-text-3">{none}</span>
  return (
    <span className="flex min-w-44 items-start gap-1.5 md:py-1.5 text-left whitespace-normal text-warn max-md:max-w-full">
      <WarningIcon aria-hidden className="mt-0.5 size-3.5 shrink-0" strokeWidth={1.75} />
      {hint}
    </span>
  )
}
