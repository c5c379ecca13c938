// Query cache: error toasts of mutations, and cleanup when the session ends.
import { MutationCache, notifyManager, QueryClient } from '@tanstack/react-query'
import { kitText } from '#shared/base/text/en-kit.ts'
import { toast } from '#web/lib/toast.ts'
import { apiErrorOf, serverMessageOf } from './api-error.ts'
import { forgetSettings, readSessionEvent, session } from './browser-storage.ts'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Fallback if the server gave no message. */
      failureText?: string
      /** The form shows the error itself. */
      isQuiet?: boolean
      /** The form shows errors of fields itself. */
      showsFields?: boolean
    }
  }
}

// By default a form learns in a later task that its call has started, and a fast second click would send it twice.
notifyManager.setScheduler(queueMicrotask)

export const userKey = ['user'] as const

export const queryClient = new QueryClient({
  mutationCache: new MutationCache({
    onError: (error, _variables, _context, mutation) => {
      const { isQuiet = false, showsFields = false } = mutation.meta ?? {}
      if (isQuiet || (showsFields && Object.keys(apiErrorOf(error)?.fields ?? {}).length > 0)) return
      toast({ kind: 'danger', text: serverMessageOf(error) ?? mutation.meta?.failureText ?? kitText.somethingWrong })
    },
  }),
  defaultOptions: {
    queries: { staleTime: 30_000, retry: (count, error) => count < 2 && isWorthRetrying(error) },
    mutations: { retry: false },
  },
})

/** A rejection is final; only a missing response or a busy server is retried. */
function isWorthRetrying(error: unknown): boolean {
  const status = apiErrorOf(error)?.status
  return status === 0 || status === 503
}

/** Clears cache and settings when the session ends, here or in another tab. */
export function watchSession(): void {
  session.onClear(() => {
    forgetSettings()
    queryClient.setQueryData(userKey, null)
    queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== userKey[0] })
  })
  window.addEventListener('storage', (event) => {
    const change = readSessionEvent(event)
    if (change === 'cleared') session.clearedElsewhere()
    else if (change === 'saved') session.resume()
  })
}
