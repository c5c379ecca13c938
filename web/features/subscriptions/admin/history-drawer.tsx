// History of a user's subscription: event, actor, before and after.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatMoney } from '#shared/base/format-money.ts'
import type { SubscriptionChange } from '#shared/subscriptions/contract.ts'
import { decisionText } from '#shared/subscriptions/text/en-decisions.ts'
import { adminScreensText as text } from '#shared/users/text/en.ts'
import { statusText } from '#shared/subscriptions/text/en-status.ts'
import type { User } from '#shared/users/user.ts'
import { indiaDate, indiaDateTime, none } from '#web/lib/india-date.ts'
import { useNow } from '#web/lib/use-now.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyableText } from '#web/ui/copyable-text.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { FailureNotice } from '#web/ui/notice.tsx'
import { actorName } from '../actor-name.ts'
import { useUndo, userHistoryQuery } from './api.ts'

/** Open while `user` is defined. */
export interface HistoryDrawerProps {
  readonly user: Pick<User, '_id' | 'name' | 'email'> | undefined
  readonly onClose: () => void
  /** Below the history. */
  readonly children?: ReactNode
}

export function HistoryDrawer({ user, onClose, children }: HistoryDrawerProps) {
  return (
    <Drawer
      isOpen={user !== undefined}
      onClose={onClose}
      title={text.history}
      description={user === undefined ? '' : `${user.name}, ${user.email}`}
    >
      {user !== undefined && <History user={user} />}
      <div className="contents">{children}</div>
    </Drawer>
  )
}

/** Renders loading, empty, error and data states. */
function History({ user }: { readonly user: Pick<User, '_id' | 'name'> }) {
  const query = useQuery(userHistoryQuery(user._id))
  const nowMs = useNow()
  if (query.isPending) return <output aria-label={text.loading} className="block h-24 animate-breathe rounded-panel bg-hover" />
  if (query.error !== null) return <FailureNotice query={query} />
  if (query.data.length === 0) return <p className="py-8 text-center text-13 text-text-2">{text.historyEmpty}</p>
  return (
    <ol className="grid gap-4">
      {query.data.map((change) => (
        <Change key={change.id} change={change} undone={query.data.find(({ id }) => id === change.undoes)}>
          {change.undoUntil !== null && Date.parse(change.undoUntil) > nowMs && <UndoButton user={user} change={change.id} />}
        </Change>
      ))}
    </ol>
  )
}

function UndoButton({ user, change }: { readonly user: Pick<User, '_id' | 'name'>; readonly change: string }) {
  const undo = useUndo(user.name)
  return (
    <Button variant="outline" size="small" className="mt-2" isBusy={undo.isPending} onClick={() => undo.mutate({ id: user._id, change })}>
      {decisionText.undo}
    </Button>
  )
}

const statusName = (status: SubscriptionChange['statusBefore']) => (status === null ? none : statusText[status])

interface ChangeProps {
  readonly change: SubscriptionChange
  /** What an undo took back. */
  readonly undone: SubscriptionChange | undefined
  readonly children: ReactNode
}

function Change({ change, undone, children }: ChangeProps) {
  const { command, at, actor, reason, statusBefore, statusAfter, premiumEndBefore, premiumEndAfter, months, request } = change
  return (
    <li className="border-l border-line-strong pl-3 text-13">
      <p className="flex items-baseline justify-between gap-3">
        <span className="font-medium">
          {undone === undefined ? text.commands[command] : decisionText.undoes(text.commands[undone.command])}
        </span>
        <time dateTime={at} className="text-12 whitespace-nowrap text-text-3">
          {indiaDateTime(at)}
        </time>
      </p>
      <p className="truncate text-12 text-text-2">{actorName(actor)}</p>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 text-12 text-text-2 tabular-nums">
        <Line name={text.status} before={statusName(statusBefore)} after={statusName(statusAfter)} />
        <Line name={text.premiumEnd} before={indiaDate(premiumEndBefore)} after={indiaDate(premiumEndAfter)} />
        <dt className="text-text-3">{text.months}</dt>
        <dd>{months}</dd>
        {request !== null && (
          <>
            <dt className="text-text-3">{text.requestColumns.amount}</dt>
            <dd>{formatMoney(request.price, request.currency)}</dd>
            <dt className="text-text-3">{text.columns.utr}</dt>
            <dd>
              <CopyableText value={request.utrNo} label={text.copyReference} />
            </dd>
          </>
        )}
      </dl>
      {reason !== null && reason !== '' && <p className="mt-1 text-12 text-text-2">{reason}</p>}
      <div className="contents">{children}</div>
    </li>
  )
}

function Line({ name, before, after }: { readonly name: string; readonly before: string; readonly after: string }) {
  return (
    <>
      <dt className="text-text-3">{name}</dt>
      <dd>{before === after ? after : `${before} → ${after}`}</dd>
    </>
  )
}
