// Admin page All Users, with key figures at the top.
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { isReversed } from '#shared/base/day-range.ts'
import { adminMarketText } from '#shared/market-admin/text/en.ts'
import { adminScreensText as text } from '#shared/users/text/en.ts'
import { datesText } from '#shared/base/text/en-dates.ts'
import { usersPerPage } from '#shared/users/contract.ts'
import type { User } from '#shared/users/user.ts'
import { useUser } from '#web/features/auth/api.ts'
import { CalendarNotice } from '#web/features/market-admin/calendar-notice.tsx'
import { DecisionDialog } from '#web/features/subscriptions/admin/decision-dialog.tsx'
import { HistoryDrawer } from '#web/features/subscriptions/admin/history-drawer.tsx'
import { MonthsDialog } from '#web/features/subscriptions/admin/months-dialog.tsx'
import { StatusActions } from '#web/features/subscriptions/admin/status-actions.tsx'
import { useUnconfirmedDecision, type UnconfirmedDecision } from '#web/features/subscriptions/admin/use-unconfirmed-decision.ts'
import { usersQuery } from '#web/features/users/api.ts'
import { ChangePasswordDialog } from '#web/features/users/change-password-dialog.tsx'
import { OverviewStrip } from '#web/features/users/overview-strip.tsx'
import { RoleSection } from '#web/features/users/role-section.tsx'
import {
  changeUserListParams,
  parseUserListParams,
  writeUserListParams,
  type UserListParams,
} from '#web/features/users/user-list-params.ts'
import { UsersFilterBar, UsersPages, UsersTable } from '#web/features/users/users-table.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { FailureNotice } from '#web/ui/notice.tsx'
import { paths } from '../paths.ts'

type Open = { readonly what: 'password' | 'months' | 'history'; readonly user: User } | undefined

const emptyPage = { users: [], total: 0 } as const

/** The address holds the filters, so that the list can be shared and Back works. */
export function AdminUsersScreen() {
  useTitle(text.allUsers)
  const [searchParams, setSearchParams] = useSearchParams()
  const params = parseUserListParams(searchParams)
  const query = useQuery(usersQuery(params))
  // A range that ends before it starts is not asked for; the field has the error.
  const data = isReversed(params) ? emptyPage : query.data
  const [open, setOpen] = useState<Open>()
  const decision = useUnconfirmedDecision()
  const { user: me } = useUser()
  const close = () => setOpen(undefined)

  const change = useCallback(
    (part: Partial<UserListParams>) =>
      // Typing replaces the history entry; every other change adds one. At once: the router gives the next change the
      // parameters of the last render.
      setSearchParams((before) => writeUserListParams(changeUserListParams(parseUserListParams(before), part)), {
        replace: 'search' in part,
        flushSync: true,
      }),
    [setSearchParams],
  )
  const show = (what: 'password' | 'months' | 'history') => (user: User) => setOpen({ what, user })
  const userOf = (what: 'password' | 'months' | 'history') => (open?.what === what ? open.user : undefined)
  const isBeyond = params.page > 1 && (data?.total ?? 0) > 0

  return (
    <div className="flex min-h-full flex-col gap-3 md:h-full">
      <h1 className="sr-only">{text.allUsers}</h1>
      <CalendarNotice>
        <Link to={paths.adminMarket} className={buttonClass('outline', 'small')}>
          {adminMarketText.marketData}
        </Link>
      </CalendarNotice>
      <OverviewStrip />
      <UsersFilterBar params={params} onChange={change} />
      {query.isLoadingError ? (
        <FailureNotice query={query} />
      ) : (
        <UsersTable
          params={params}
          users={data?.users}
          isStale={query.isPlaceholderData}
          empty={isReversed(params) ? datesText.reversed : isBeyond ? <BeyondTheEnd onBack={() => change({ page: 1 })} /> : text.noUsers}
          onSort={(sort) => change({ sort })}
          onPassword={show('password')}
          onMonths={show('months')}
          onHistory={show('history')}
          actions={actionsWith(decision.ask)}
        />
      )}
      {data !== undefined && data.users.length > 0 && (
        <UsersPages
          page={params.page}
          perPage={usersPerPage}
          shown={data.users.length}
          total={data.total}
          isSearch={params.search !== ''}
          onPage={(page) => change({ page })}
        />
      )}
      <ChangePasswordDialog user={userOf('password')} isOwn={userOf('password')?._id === me?._id} onClose={close} />
      <MonthsDialog user={userOf('months')} onClose={close} />
      <UserDrawer user={userOf('history')} onClose={close} />
      <UserDecision decision={decision} users={data?.users} />
    </div>
  )
}

/** History and role of a user. */
function UserDrawer({ user, onClose }: { readonly user: User | undefined; readonly onClose: () => void }) {
  const { user: me } = useUser()
  return (
    <HistoryDrawer user={user} onClose={onClose}>
      {user !== undefined && <RoleSection user={user} isOwn={user._id === me?._id} onDone={onClose} />}
    </HistoryDrawer>
  )
}

interface UserDecisionProps {
  readonly decision: ReturnType<typeof useUnconfirmedDecision>
  readonly users: readonly User[] | undefined
}

function UserDecision({ decision, users }: UserDecisionProps) {
  const rowState = ({ userId, from }: UnconfirmedDecision) => {
    const user = users?.find(({ _id }) => _id === userId)
    if (user !== undefined) return user.status === from ? 'same' : 'changed'
    // A user who has left this page may still have the same status; the server checks it.
    return users === undefined ? 'same' : 'gone'
  }
  return <DecisionDialog shown={decision.shown} rowState={rowState} onClose={decision.close} />
}

const actionsWith =
  (onAsk: (decision: UnconfirmedDecision) => void) =>
  ({ _id, name, status }: User) => <StatusActions userId={_id} name={name} status={status} onAsk={onAsk} />

function BeyondTheEnd({ onBack }: { readonly onBack: () => void }) {
  return (
    <>
      <p>{text.pageEmpty}</p>
      <Button variant="outline" className="mt-3" onClick={onBack}>
        {text.firstPage}
      </Button>
    </>
  )
}
