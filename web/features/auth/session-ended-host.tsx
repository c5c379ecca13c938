// Place of the sign-in dialog: one on the page and one in each open dialog, of which only the innermost shows it.
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { listenerSet } from '#shared/base/listeners.ts'
import { endedSession } from '#web/lib/ended-session.ts'
import { session } from '#web/lib/browser-storage.ts'
import { fetched } from '#web/ui/fetched.tsx'
import { HiddenPartFailed } from '#web/ui/part-failed.tsx'
import { NestedDialogContext } from '#web/ui/nested-dialog-context.ts'

const SessionEndedDialog = fetched(async () => (await import('./session-ended-dialog.tsx')).SessionEndedDialog, null, HiddenPartFailed)

const hosts: object[] = []
const changed = listenerSet()

export interface SessionEndedHostProps {
  /** Pages for visitors: there the ended session is dropped without a question. */
  readonly visitorPaths: readonly string[]
  readonly loginPath: string
}

/** Shows the dialog while the session has ended; what is below stays mounted, so unsaved work is kept. */
export function SessionEndedHost({ visitorPaths, loginPath }: SessionEndedHostProps) {
  const isForVisitors = visitorPaths.includes(useLocation().pathname)
  const navigate = useNavigate()
  const leave = () => {
    session.clear()
    void navigate(loginPath)
  }
  const [self] = useState(() => ({}))
  const message = useSyncExternalStore(endedSession.onChange, endedSession.message)
  const isInnermost = useSyncExternalStore(changed.add, () => hosts.at(-1) === self)
  useEffect(() => {
    hosts.push(self)
    changed.notify()
    return () => {
      hosts.splice(hosts.indexOf(self), 1)
      changed.notify()
    }
  }, [self])
  const isEnded = message !== undefined
  useEffect(() => {
    if (isEnded && isForVisitors) session.clear()
  }, [isEnded, isForVisitors])
  if (!isEnded || !isInnermost || isForVisitors) return null
  return (
    // Otherwise the dialog would contain a host, which would show the dialog.
    <NestedDialogContext value={null}>
      <SessionEndedDialog message={message} onLeave={leave} />
    </NestedDialogContext>
  )
}
