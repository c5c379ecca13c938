// Asks for a sign-in over every screen and every dialog when the session has ended.
import type { ReactNode } from 'react'
import { useUser } from '#web/features/auth/api.ts'
import { fetched } from '#web/ui/fetched.tsx'
import { HiddenPartFailed } from '#web/ui/part-failed.tsx'
import { NestedDialogContext } from '#web/ui/nested-dialog-context.ts'
import { paths, visitorPaths } from './paths.ts'

const SessionEndedHost = fetched(
  async () => (await import('#web/features/auth/session-ended-host.tsx')).SessionEndedHost,
  null,
  HiddenPartFailed,
)

/** Visitors have no session that could end, and load nothing for it. */
export function SessionEndedProvider({ children }: { readonly children: ReactNode }) {
  const { user, isLoading } = useUser()
  const host = (user !== undefined || isLoading) && <SessionEndedHost visitorPaths={visitorPaths} loginPath={paths.login} />
  return (
    <NestedDialogContext value={host}>
      {children}
      {host}
    </NestedDialogContext>
  )
}
