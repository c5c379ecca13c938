// History of the user's subscription, newest first.
import { useQuery } from '@tanstack/react-query'
import { monthLabel } from '#shared/plans/plan.ts'
import type { SubscriptionChange } from '#shared/subscriptions/contract.ts'
import { accountText as text } from '#shared/auth/text/en-account.ts'
import { indiaDate, indiaDateTime } from '#web/lib/india-date.ts'
import type { DataColumn } from '#web/ui/data-column.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { FailureNotice } from '#web/ui/notice.tsx'
import { actorName } from './actor-name.ts'
import { ownHistoryQuery } from './api.ts'

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
