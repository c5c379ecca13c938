// Who is signed in, and the call of signing out; signing in and up are in enter.ts, which the landing page does not load.
import { useMutation, useQuery, type QueryFunctionContext } from '@tanstack/react-query'
import { authText } from '#shared/text/en/auth.ts'
import type { User } from '#shared/users/user.ts'
import { refusalOf } from '#web/lib/failure.ts'
import { queryClient, userKey } from '#web/lib/query.ts'
import { session } from '#web/lib/storage.ts'

// The contract and its schemas come with the first call, so that the landing page does not carry them.
const loadApi = () => import('#web/lib/api.ts')
const freshForMs = 60_000

export interface CurrentUser {
  readonly user: User | undefined
  /** True only while a stored session is being verified. */
  readonly isLoading: boolean
}

const userQuery = {
  queryKey: userKey,
  queryFn: ({ client }: QueryFunctionContext) => fetchUser(client.getQueryData<User | null>(userKey)),
  staleTime: freshForMs,
  retry: false,
}

/**
 * The signed-in user. Asks the server only where a session token is stored;
 * a failure leaves the user empty and is logged to the console.
 */
export function useUser(): CurrentUser {
  const { data, isPending } = useQuery({ ...userQuery, refetchOnWindowFocus: () => session.token() !== undefined })
  return { user: data ?? undefined, isLoading: isPending && session.token() !== undefined }
}

/** Asks who is signed in before the first screen does. */
export function prefetchUser(): void {
  if (session.token() !== undefined) void queryClient.prefetchQuery(userQuery)
}

async function fetchUser(known: User | null | undefined): Promise<User | null> {
  const token = session.token()
  if (token === undefined) return null
  try {
    const { client } = await loadApi()
    const user = await client.users.me()
    // Whoever signed out meanwhile must not come back with a late answer.
    if (session.token() !== token) return session.token() === undefined ? null : (known ?? null)
    session.saveUser(user)
    return user
  } catch (error) {
    // The check is repeated every few seconds; only the one at the start is worth a line.
    if (!known) console.error('The signed-in user could not be loaded', error)
    // A lost connection or a server in trouble does not sign out a person who is looking at a chart; a refusal does.
    return isSessionRefusal(error) ? null : (known ?? null)
  }
}

function isSessionRefusal(error: unknown): boolean {
  const status = refusalOf(error)?.status
  return status === 401 || status === 403
}

export interface SignOutVariables {
  readonly email: string
  /** The admin sidebar signs out by GET, as specified. */
  readonly by?: 'post' | 'get'
}

/** Ends the session on the server, then forgets it here and calls back. A session that the server no longer knows counts as ended. */
export function useSignOut(onSignedOut?: () => void) {
  return useMutation({
    // Not of the single call: that one is forgotten when its screen goes away, as it does at the end of the session.
    onSuccess: () => onSignedOut?.(),
    mutationFn: async ({ email, by = 'post' }: SignOutVariables) => {
      const { client } = await loadApi()
      try {
        if (by === 'get') await client.auth.signOutByGet()
        else await client.auth.signOut({ body: { email } })
      } catch (error) {
        if (refusalOf(error)?.status !== 401) throw error
      }
      session.clear()
    },
    meta: { failureText: authText.signOutFailed },
  })
}
