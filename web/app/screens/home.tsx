// The address `/` and every chart address: the shell for who is signed in, the landing page for a visitor.
import { useUser } from '#web/features/auth/api.ts'
import { LandingScreen, Shell } from '../screens.tsx'
import { ShellSkeleton } from './shell-skeleton.tsx'

/** While a stored session is being verified the skeleton of the shell stands here, so that no landing page flashes by. */
export function Home() {
  const { user, isLoading } = useUser()
  if (isLoading) return <ShellSkeleton />
  if (user === undefined || user.email === '') return <LandingScreen />
  return <Shell />
}
