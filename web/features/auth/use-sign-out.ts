// Sign-out.
import { useMutation } from '@tanstack/react-query'
import { signOutText } from '#shared/auth/text/en-session.ts'
import type { User } from '#shared/users/user.ts'
import { authRoutes } from '#shared/auth/contract.ts'
import { call } from '#web/lib/api.ts'
import { apiErrorOf } from '#web/lib/api-error.ts'
import { forgetUnsaved, saveUnsaved } from '#web/lib/forget-unsaved.ts'
import { queryClient, userKey } from '#web/lib/query-client.ts'
import { session } from '#web/lib/browser-storage.ts'

export interface SignOutVariables {
  readonly email: string
  /** The admin sidebar signs out by GET, as specified. */
  readonly by?: 'post' | 'get'
}

/**
 * Saves pending changes, ends the session on the server, then clears it and all data of its user here, and calls back.
 * A session unknown to the server counts as ended.
 */
export function useSignOut(onSignedOut?: () => void) {
  return useMutation({
    // In the mutation's options: a callback of the single call is dropped when its screen unmounts, which happens at sign-out.
    onSuccess: () => onSignedOut?.(),
    mutationFn: async ({ email, by = 'post' }: SignOutVariables) => {
      await saveUnsaved()
      try {
        if (by === 'get') await call(authRoutes.signOutByGet)
        else await call(authRoutes.signOut, { body: { email } })
      } catch (error) {
        if (apiErrorOf(error)?.status !== 401) throw error
      }
      const user = queryClient.getQueryData<User | null>(userKey)
      session.clear()
      if (user) forgetUnsaved({ id: user._id, email: user.email })
    },
    meta: { failureText: signOutText.failed },
  })
}
