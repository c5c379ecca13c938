// The user's sessions, each with a button that ends it, except the current one.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { accountText as text } from '#shared/auth/text/en-account.ts'
import { sessionRoutes, type UserSession } from '#shared/auth/session-contract.ts'
import { call } from '#web/lib/api.ts'
import { indiaDateTime } from '#web/lib/india-date.ts'
import { withStepUp } from '#web/lib/with-step-up.ts'
import { Button } from '#web/ui/button.tsx'
import { FailureNotice, PanelSkeleton } from '#web/ui/notice.tsx'
import { toast } from '#web/lib/toast.ts'
import { deviceName } from './device-name.ts'
import { sessionsQuery } from './sessions-query.ts'

/** Renders loading, error and data states; the list is never empty. */
export function SessionList() {
  const query = useQuery(sessionsQuery)
  if (query.isLoadingError) return <FailureNotice query={query} fallback={text.sessionsFailed} />
  if (query.data === undefined) return <PanelSkeleton label={text.loading} />
  return (
    <ul className="divide-y divide-line rounded-panel border border-line bg-surface">
      {query.data.map((session) => (
        <SessionRow key={session.id} session={session} />
      ))}
    </ul>
  )
}

function SessionRow({ session }: { readonly session: UserSession }) {
  const cache = useQueryClient()
  const device = deviceName(session.userAgent)
  const end = useMutation({
    mutationFn: () => withStepUp(() => call(sessionRoutes.end, { params: { id: session.id } })),
    onSuccess: async ({ message }) => {
      toast({ kind: 'ok', text: message })
      await cache.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
    meta: { failureText: text.endFailed },
  })
  return (
    <li className="flex items-center justify-between gap-4 px-4 py-2.5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-2 text-13 font-medium" title={session.userAgent}>
          {device}
          <span className="text-12 font-normal text-text-3 tabular-nums [overflow-wrap:anywhere]">{session.address}</span>
        </p>
        <p className="text-12 text-text-2 tabular-nums">
          {`${text.lastSeen(indiaDateTime(session.lastSeenAt))}, ${text.signedIn(indiaDateTime(session.createdAt))}`}
        </p>
      </div>
      {session.isCurrent ? (
        <span className="shrink-0 rounded-control border border-ok/40 px-1.5 text-11 leading-4.5 font-medium text-ok">
          {text.thisSession}
        </span>
      ) : (
        <Button variant="outline" size="small" isBusy={end.isPending} aria-label={text.endSessionOf(device)} onClick={() => end.mutate()}>
          {text.endSession}
        </Button>
      )}
    </li>
  )
}
