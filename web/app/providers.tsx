// What stands around every screen: the query cache, the toasts, and the word that this tab is open.
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { useUser } from '#web/features/auth/api.ts'
import { queryClient } from '#web/lib/query.ts'
import { preloadToaster, Toaster } from '#web/ui/toast.tsx'

/** Wraps the router. */
export function Providers({ children }: { readonly children: ReactNode }) {
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
  const userId = user?._id
  useEffect(() => {
    if (userId === undefined) return undefined
    preloadToaster()
    let isOver = false
    let stop: (() => void) | undefined
    import('#web/features/users/presence.ts').then(
      ({ startPresence }) => {
        if (!isOver) stop = startPresence()
      },
      () => undefined,
    )
    return () => {
      isOver = true
      stop?.()
    }
  }, [userId])
  return null
}
