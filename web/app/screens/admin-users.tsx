// Admin page All Users, with key figures at the top.
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { adminMarketText } from '#shared/text/en/admin-market.ts'
import { adminScreensText as text } from '#shared/text/en/admin-screens.ts'
import { usersPerPage } from '#shared/users/contract.ts'
import type { User } from '#shared/users/user.ts'
import { CalendarNotice } from '#web/features/market-admin/calendar-notice.tsx'
import { HistoryDrawer } from '#web/features/subscriptions/admin-history-drawer.tsx'
import { MonthsDialog } from '#web/features/subscriptions/admin-months-dialog.tsx'
import { StatusActions } from '#web/features/subscriptions/admin-status-actions.tsx'
import { usersQuery } from '#web/features/users/admin-api.ts'
import { ChangePasswordDialog } from '#web/features/users/change-password-dialog.tsx'
import { OverviewStrip } from '#web/features/users/overview-strip.tsx'
import { changeUserView, readUserView, writeUserView, type UserView } from '#web/features/users/user-list-params.ts'
import { UsersFilterBar } from '#web/features/users/users-filter-bar.tsx'
import { UsersPages } from '#web/features/users/users-pages.tsx'
import { UsersTable } from '#web/features/users/users-table.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { FailureNotice } from '#web/ui/notice.tsx'
import { paths } from '../paths.ts'

type Open = { readonly what: 'password' | 'months' | 'history'; readonly user: User } | undefined

/** The address holds the filters, so that the view can be shared and Back works. */
export function AdminUsersScreen() {
  useTitle(text.allUsers)
  const [params, setParams] = useSearchParams()
  const view = readUserView(params)
  const query = useQuery(usersQuery(view))
  const { data } = query
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)

  const change = useCallback(
    (part: Partial<UserView>) =>
      // Typing replaces the history entry; every other change adds one.
      setParams((before) => writeUserView(changeUserView(readUserView(before), part)), { replace: 'search' in part }),
    [setParams],
  )
  const show = (what: 'password' | 'months' | 'history') => (user: User) => setOpen({ what, user })
  const userOf = (what: 'password' | 'months' | 'history') => (open?.what === what ? open.user : undefined)
  const isBeyond = view.page > 1 && (data?.total ?? 0) > 0

  return (
    <div className="flex min-h-full flex-col gap-3 md:h-full">
      <h1 className="sr-only">{text.allUsers}</h1>
      <CalendarNotice>
        <Link to={paths.adminMarket} className={buttonClass('outline', 'small')}>
          {adminMarketText.marketData}
        </Link>
      </CalendarNotice>
      <OverviewStrip />
      <UsersFilterBar view={view} onChange={change} />
      {query.isLoadingError ? (
        <FailureNotice query={query} />
      ) : (
        <UsersTable
          view={view}
          users={data?.users}
          isStale={query.isPlaceholderData}
          empty={isBeyond ? <BeyondTheEnd onBack={() => change({ page: 1 })} /> : text.noUsers}
          onSort={(sort) => change({ sort })}
          onPassword={show('password')}
          onMonths={show('months')}
          onHistory={show('history')}
          actions={actionsOf}
        />
      )}
      {data !== undefined && data.users.length > 0 && (
        <UsersPages
          page={view.page}
          perPage={usersPerPage}
          shown={data.users.length}
          total={data.total}
          isSearch={view.search !== ''}
          onPage={(page) => change({ page })}
        />
      )}
      <ChangePasswordDialog user={userOf('password')} onClose={close} />
      <MonthsDialog user={userOf('months')} onClose={close} />
      <HistoryDrawer user={userOf('history')} onClose={close} />
    </div>
  )
}

function actionsOf({ _id, name, status }: User) {
  return <StatusActions userId={_id} name={name} status={status} />
}

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
