// History of a user's subscription: event, actor, before and after.
import { useQuery } from '@tanstack/react-query'
import type { SubscriptionChange } from '#shared/subscriptions/contract.ts'
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import type { User } from '#shared/users/user.ts'
import { indiaDate, indiaDateTime, none } from '#web/lib/india-date.ts'
import { Drawer } from '#web/ui/drawer.tsx'
import { FailureNotice } from '#web/ui/notice.tsx'
import { userHistoryQuery } from './api-admin.ts'

/** Open while `user` is defined. */
export function HistoryDrawer({ user, onClose }: { readonly user: User | undefined; readonly onClose: () => void }) {
  return (
    <Drawer
      isOpen={user !== undefined}
      onClose={onClose}
      title={text.history}
      description={user === undefined ? '' : `${user.name}, ${user.email}`}
    >
      {user !== undefined && <History userId={user._id} />}
    </Drawer>
  )
}

/** Renders loading, empty, error and data states. */
function History({ userId }: { readonly userId: string }) {
  const query = useQuery(userHistoryQuery(userId))
  if (query.isPending) return <output aria-label={text.loading} className="block h-24 animate-breathe rounded-panel bg-hover" />
  if (query.error !== null) return <FailureNotice query={query} />
  if (query.data.length === 0) return <p className="py-8 text-center text-13 text-text-2">{text.historyEmpty}</p>
  return (
    <ol className="grid gap-4">
      {query.data.map((change) => (
        <Change key={`${change.at} ${change.command}`} change={change} />
      ))}
    </ol>
  )
}

function Change({ change }: { readonly change: SubscriptionChange }) {
  const { command, at, actor, reason, statusBefore, statusAfter, premiumEndBefore, premiumEndAfter, months } = change
  return (
    <li className="border-l border-line-strong pl-3 text-13">
      <p className="flex items-baseline justify-between gap-3">
        <span className="font-medium">{text.commands[command]}</span>
        <time dateTime={at} className="text-12 whitespace-nowrap text-text-3">
          {indiaDateTime(at)}
        </time>
      </p>
      <p className="truncate text-12 text-text-2">{actor}</p>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-3 text-12 text-text-2 tabular-nums">
        <Line name={text.status} before={statusBefore ?? none} after={statusAfter ?? none} />
        <Line name={text.premiumEnd} before={indiaDate(premiumEndBefore)} after={indiaDate(premiumEndAfter)} />
        <dt className="text-text-3">{text.months}</dt>
        <dd>{months}</dd>
      </dl>
      {reason !== null && reason !== '' && <p className="mt-1 text-12 text-text-2">{reason}</p>}
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
