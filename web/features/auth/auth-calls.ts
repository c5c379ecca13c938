// Calls of the first screens; lazy-loaded, so that these appear before the client, the contract and its schemas.
import { authRoutes } from '#shared/auth/contract.ts'
import { passwordRoutes } from '#shared/auth/password-contract.ts'
import { apiErrorFrom } from '#shared/http/api-error.ts'
import type { CallOf } from '#shared/http/route.ts'
import { userRoutes } from '#shared/users/contract.ts'
import { call, send } from '#web/lib/api.ts'

export const authCalls = {
  me: () => call(userRoutes.me),
  signIn: (body: CallOf<typeof authRoutes.signIn>['body']) => call(authRoutes.signIn, { body }),
  /** Resolves to the body of any response but a challenge, because the specification tells how to read malformed ones. */
  signUp: async (body: CallOf<typeof authRoutes.signUp>['body']): Promise<unknown> => {
    const response = await send(authRoutes.signUp, { body })
    if (response.status === 429) throw apiErrorFrom(response)
    return response.body
  },
  askForLink: (body: CallOf<typeof passwordRoutes.askForLink>['body']) => call(passwordRoutes.askForLink, { body }),
}
