// The first page of the admin area: who is online now.
import { OnlineUsersPanel } from '#web/features/users/online-users-panel.tsx'
import { useTitle } from '#web/lib/use-title.ts'

/** Composes the panel and its heading. */
export function OnlineUsersScreen() {
  useTitle('Online Users')
  return <OnlineUsersPanel />
}
