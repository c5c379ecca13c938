// Current user; sign-in, sign-up and sign-out are in use-sign-in.ts and use-sign-out.ts, which the landing page does not load.
import { useQuery, type QueryFunctionContext } from '@tanstack/react-query'
import type { User } from '#shared/users/user.ts'
import { apiErrorOf } from '#web/lib/api-error.ts'
import { queryClient, userKey } from '#web/lib/query-client.ts'
import { session } from '#web/lib/browser-storage.ts'

const freshForMs = 60_000

export interface CurrentUser {
  readonly user: User | undefined
  /** True only while a stored session is verified. */
  readonly isLoading: boolean
  /** Only if the code that asks for the user is missing, so that nothing is known. */
  readonly retry: (() => void) | undefined
}

const userQuery = {
  queryKey: userKey,
  queryFn: ({ client }: QueryFunctionContext) => fetchUser(client.getQueryData<User | null>(userKey)),
  staleTime: freshForMs,
  retry: false,
}

/**
 * The signed-in user. Queries the server only if a session token is stored;
 * after an error there is no user, and the error is logged to the console.
 */
export function useUser(): CurrentUser {
  const { data, isPending, isError, refetch } = useQuery({ ...userQuery, refetchOnWindowFocus: () => session.token() !== undefined })
  const retry = isError && data === undefined ? () => void refetch() : undefined
  return { user: data ?? undefined, isLoading: isPending && session.token() !== undefined, retry }
}

/** Starts the user query before the first screen does. */
export function prefetchUser(): void {
  if (session.token() !== undefined) void queryClient.prefetchQuery(userQuery)
}

async function fetchUser(cached: User | null | undefined): Promise<User | null> {
  const token = session.token()
  if (token === undefined) return null
  // A missing file says nothing about the session: the query fails, and no page of a visitor is shown.
  const { authCalls } = await import('./auth-calls.ts')
  try {
    const user = await authCalls.me()
    // Late: the session has ended, or another one has begun.
    if (session.token() !== token) return await fetchUser(cached)
    session.saveUser(user)
    return user
  } catch (error) {
    // The check repeats every few seconds; only the first error is worth a log line.
    if (!cached) console.error('The signed-in user could not be loaded', error)
    // A lost connection or a server error must not sign out a user who is watching a chart; a denied session must.
    return isSessionRejection(error) ? null : (cached ?? null)
  }
}

function isSessionRejection(error: unknown): boolean {
  const status = apiErrorOf(error)?.status
  return status === 401 || status === 403
}
