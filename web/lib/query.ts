// The query cache: how failures of mutations are told, and what happens when a session ends.
import { MutationCache, QueryClient } from '@tanstack/react-query'
import { toast } from '#web/ui/toast-queue.ts'
import { refusalOf, serverMessageOf } from './failure.ts'
import { isSessionEnd, session } from './storage.ts'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Shown where the server gave no sentence of its own. */
      failureText?: string
      /** The form tells the failure itself. */
      isQuiet?: boolean
    }
  }
}

const fallbackText = 'Something went wrong. Please try again.'

export const userKey = ['user'] as const

export const queryClient = new QueryClient({
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      if (mutation.meta?.isQuiet === true) return
      toast({ kind: 'danger', text: serverMessageOf(error) ?? mutation.meta?.failureText ?? fallbackText })
    },
  }),
  defaultOptions: {
    queries: { staleTime: 30_000, retry: (count, error) => count < 2 && isWorthRetrying(error) },
    mutations: { retry: false },
  },
})

/** A refusal stays a refusal; only silence and a busy server may answer differently next time. */
function isWorthRetrying(error: unknown): boolean {
  const status = refusalOf(error)?.status
  return status === 0 || status === 503
}

/** Joins the stored session to the cache: when it ends, here or in another tab, nothing of the user stays. */
export function watchSession(): void {
  session.onClear(() => {
    queryClient.setQueryData(userKey, null)
    queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== userKey[0] })
  })
  window.addEventListener('storage', (event) => {
    if (isSessionEnd(event)) session.clear()
  })
}
