// Routes of a user's own sessions.
import { done } from '#shared/http/app-error.ts'
import { requireRecentPassword } from '#server/http/require-recent-password.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { sessionRoutes } from '#shared/auth/session-contract.ts'
import type { AuthService } from './service.ts'

interface SessionHandlerOptions {
  readonly auth: AuthService
  readonly now: () => number
}

export function sessionHandlers({ auth, now }: SessionHandlerOptions): Handlers<typeof sessionRoutes> {
  return {
    list: async ({ session }) => ({ success: true, data: await auth.sessionsOf(session) }),
    end: async ({ session, params }) => {
      requireRecentPassword(session, now())
      await auth.endOwnSession(session, params.id, 'ended by its user')
      return done('auth.sessionEnded')
    },
  }
}
