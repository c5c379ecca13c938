// `/` and every chart address: the app shell for signed-in users, the landing page for visitors.
import { useUser } from '#web/features/auth/api.ts'
import { screens } from '../screens.tsx'
import { ShellSkeleton } from './shell-skeleton.tsx'

/** Shows the shell's skeleton while a stored session is verified, so that no landing page flashes. */
export function Home() {
  const { user, isLoading } = useUser()
  if (isLoading) return <ShellSkeleton />
  if (user === undefined || user.email === '') return <screens.landing />
  return <screens.shell />
}
