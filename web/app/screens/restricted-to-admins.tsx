// Shows a 403 page to non-admins; the server enforces access on its own.
import type { ReactNode } from 'react'
import { findAccessRestriction } from '#shared/users/access-restriction.ts'
import { useUser } from '#web/features/auth/api.ts'
import { screens } from '../screens.tsx'
import { AdminSkeleton } from './shell-skeleton.tsx'

/** Renders its children for admins only. */
export function RestrictedToAdmins({ children }: { readonly children: ReactNode }) {
  const { user, isLoading } = useUser()
  if (isLoading) return <AdminSkeleton />
  return findAccessRestriction('admin', user) === undefined ? children : <screens.status status={403} />
}
