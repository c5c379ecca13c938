// Lets admins through and shows everybody else the 403 picture; the server decides anyway, by itself.
import type { ReactNode } from 'react'
import { findObstacle } from '#shared/users/access.ts'
import { useUser } from '#web/features/auth/api.ts'
import { ForbiddenScreen } from '../screens.tsx'
import { ShellSkeleton } from './shell-skeleton.tsx'

/** Draws its children for an admin only. */
export function RestrictedToAdmins({ children }: { readonly children: ReactNode }) {
  const { user, isLoading } = useUser()
  if (isLoading) return <ShellSkeleton />
  return findObstacle('admin', user) === undefined ? children : <ForbiddenScreen />
}
