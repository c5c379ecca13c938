// Admin page with pending subscription requests and online users.
import { adminScreensText as text } from '#shared/users/text/en.ts'
import { RequestsTable } from '#web/features/subscriptions/admin/requests-table.tsx'
import { OnlineUsersPanel } from '#web/features/users/online-users-panel.tsx'
import { useTitle } from '#web/lib/use-title.ts'

export function AdminRequestsScreen() {
  useTitle(text.requestedUsers)
  return (
    <div className="grid gap-6 xl:grid-cols-[minmax(0,1fr)_16rem]">
      <div className="min-w-0">
        <h1 className="mb-3 flex h-8 items-center text-20 font-semibold tracking-tight">{text.requestedUsers}</h1>
        <RequestsTable />
      </div>
      <OnlineUsersPanel />
    </div>
  )
}
