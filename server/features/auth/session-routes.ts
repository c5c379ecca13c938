// Routes of a user's own sessions.
import type { Handlers } from '#server/http/serve.ts'
import type { sessionRoutes } from '#shared/auth/session-contract.ts'
import { authServerText } from '#shared/text/en/auth.ts'
import type { AuthService } from './service.ts'

export function sessionHandlers({ auth }: { readonly auth: AuthService }): Handlers<typeof sessionRoutes> {
  return {
    list: async ({ session }) => ({ success: true, data: await auth.sessionsOf(session) }),
    end: async ({ session, params }) => {
      await auth.endOwnSession(session, params.id, 'ended by its user')
      return { success: true, message: authServerText.sessionEnded }
    },
  }
}
