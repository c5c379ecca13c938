// App-wide providers: query cache, toasts, and background tasks while signed in.
import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, type ReactNode } from 'react'
import { useUser } from '#web/features/auth/api.ts'
import { afterStart } from '#web/lib/after.ts'
import { loadInTime } from '#web/lib/load-part.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { preloadToaster, Toaster } from '#web/ui/toaster.tsx'
import { onlineUsersKey } from '#web/features/users/online-users-key.ts'

export interface ProvidersProps {
  readonly children: ReactNode
  /** Called with the first commit, before any key is lost. */
  readonly onDrawn?: (() => void) | undefined
  /** Called after the first commit. */
  readonly onShown?: (() => void) | undefined
}

/** Wraps the router. */
export function Providers({ children, onDrawn, onShown }: ProvidersProps) {
  useLayoutEffect(() => onDrawn?.(), [onDrawn])
  useEffect(() => onShown?.(), [onShown])
  return (
    <QueryClientProvider client={queryClient}>
      {children}
      <SignedInDuties />
      <Toaster />
    </QueryClientProvider>
  )
}

function SignedInDuties() {
  const { user } = useUser()
  const cache = useQueryClient()
  const userId = user?._id
  useEffect(() => {
    if (userId === undefined) return undefined
    let isOver = false
    const stops = [afterStart(preloadToaster)]
    loadInTime(loadDuties, () => isOver).then(([{ startPresence }, { watchSubscription }, { watchAccount }]) => {
      if (isOver) return
      const { receive, refetch, stop } = watchSubscription(cache)
      const onOnline = () => void cache.invalidateQueries({ queryKey: onlineUsersKey })
      stops.push(stop, startPresence({ watchAccount, receive, onOnline, refetch }))
    }, ignore)
    return () => {
      isOver = true
      for (const stop of stops) stop()
    }
  }, [userId, cache])
  return null
}

const loadDuties = () =>
  Promise.all([
    import('#web/features/users/start-presence.ts'),
    import('#web/features/subscriptions/watch-subscription.ts'),
    import('#web/features/market-data/live-candles.ts'),
  ])

/** The user is gone. */
function ignore(): void {}
