// Pending requests, with the data an admin compares before deciding.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { monthLabel } from '#shared/plans/plan.ts'
import type { SubscriptionRequest } from '#shared/subscriptions/contract.ts'
import { adminScreensText as text } from '#shared/users/text/en.ts'
import { ageText, indiaDateTime, none } from '#web/lib/india-date.ts'
import { formatMoney } from '#shared/base/format-money.ts'
import { useNow } from '#web/lib/use-now.ts'
import type { DataColumn } from '#web/ui/data-column.ts'
import { CopyableText } from '#web/ui/copyable-text.tsx'
import { DataTable } from '#web/ui/data-table.tsx'
import { WarningIcon } from '#web/ui/icon.ts'
import { FailureNotice } from '#web/ui/notice.tsx'
import { DecisionDialog } from './decision-dialog.tsx'
import { HistoryDrawer } from './history-drawer.tsx'
import { StatusActions } from './status-actions.tsx'
import { requestsQuery } from './api.ts'
import { useUnconfirmedDecision, type UnconfirmedDecision } from './use-unconfirmed-decision.ts'

const { requestColumns: heads } = text

/** Renders loading, empty, error and data states. */
export function RequestsTable() {
  const query = useQuery(requestsQuery)
  // The whole request: it leaves the list when it is decided elsewhere, and its history stays on the screen.
  const [shown, setShown] = useState<SubscriptionRequest>()
  const decision = useUnconfirmedDecision()
  if (query.isLoadingError) return <FailureNotice query={query} />
  return (
    <>
      <DataTable
        label={text.requestedUsers}
        columns={columnsOf(setShown, decision.ask)}
        rows={query.data}
        rowKey={({ id }) => id}
        empty={text.requestsEmpty}
      />
      <HistoryDrawer
        user={shown === undefined ? undefined : { _id: shown.userId, name: shown.name, email: shown.email }}
        onClose={() => setShown(undefined)}
      />
      <DecisionDialog
        shown={decision.shown}
        rowState={({ userId }) => (query.data?.some((request) => request.userId === userId) === false ? 'changed' : 'same')}
        onClose={decision.close}
      />
    </>
  )
}

const columnsOf = (
  onHistory: (request: SubscriptionRequest) => void,
  onAsk: (decision: UnconfirmedDecision) => void,
): readonly DataColumn<SubscriptionRequest>[] => [
  {
    id: 'user',
    head: heads.user,
    card: 'title',
    className: 'py-1.5',
    cell: (request) => <Person request={request} onPress={() => onHistory(request)} />,
  },
  { id: 'age', head: heads.age, cell: ({ createdAt }) => <Age at={createdAt} /> },
  { id: 'amount', head: heads.amount, className: 'text-right', cell: (request) => <Amount request={request} /> },
  { id: 'reference', card: 'wide', head: heads.reference, cell: (request) => <Reference request={request} /> },
  { id: 'seen', head: heads.seen, cell: ({ earlierRequests }) => <Seen count={earlierRequests} /> },
  { id: 'hint', card: 'wide', head: heads.hint, cell: ({ hint }) => <Hint hint={hint} /> },
  {
    id: 'action',
    head: heads.action,
    card: 'actions',
    cell: ({ userId, name }) => <StatusActions userId={userId} name={name} status="pending" onAsk={onAsk} />,
  },
]

interface PersonProps {
  readonly request: SubscriptionRequest
  readonly onPress: () => void
}

function Person({ request: { name, email, phone }, onPress }: PersonProps) {
  return (
    <span className="block max-w-44 min-w-0 max-md:max-w-full">
      <button
        type="button"
        aria-label={text.historyOf(name)}
        title={name}
        onClick={onPress}
        className="block max-w-full truncate rounded-control text-left font-medium decoration-line-strong underline-offset-2 hover:underline pointer-coarse:-my-2 pointer-coarse:min-h-11"
      >
        {name}
      </button>
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

function Reference({ request: { name, utrNo, rail, type } }: { readonly request: SubscriptionRequest }) {
  return (
    <span className="block max-w-56 min-w-0 max-md:max-w-full">
      <CopyableText value={utrNo} label={text.copyReferenceOf(name)} />
      <span className="block text-text-2">
        {rail.toUpperCase()}, {text.typeNames[type].toLowerCase()}
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

function Hint({ hint }: Pick<SubscriptionRequest, 'hint'>) {
  if (hint === null) return <span className="text-text-3">{none}</span>
  return (
    <span className="flex min-w-44 items-start gap-1.5 md:py-1.5 text-left whitespace-normal text-warn max-md:max-w-full">
      <WarningIcon aria-hidden className="mt-0.5 size-3.5 shrink-0" strokeWidth={1.75} />
      <span>{text.hints[hint]}</span>
    </span>
  )
}
