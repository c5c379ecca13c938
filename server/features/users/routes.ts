// Contract to service for the signed-in user, the own sessions and presence.
import type { AuthService } from '#server/features/auth/service.ts'
import type { Handlers } from '#server/http/serve.ts'
import { authText } from '#shared/text/en/auth.ts'
import type { userRoutes } from '#shared/users/contract.ts'
import type { usersService } from './service.ts'

export function usersHandlers(needs: { auth: AuthService; users: ReturnType<typeof usersService> }): Handlers<typeof userRoutes> {
  const { auth, users } = needs
  return {
    me: ({ session }) => Promise.resolve(session.user),
    sessions: async ({ session }) => ({ success: true, data: await auth.sessionsOf(session) }),
    endSession: async ({ session, params }) => {
      await auth.endOwnSession(session, params.id, 'ended by its user')
      return { success: true, message: authText.sessionEnded }
    },
    beOnline: async ({ session, body }) => {
      await users.beOnline({ userId: session.user._id, sessionId: session.id, tabId: body.tabId })
      const { isPremium, status, premiumEndDate } = session.user
      return { success: true, data: { isPremium, status, premiumEndDate } }
    },
    beGone: async ({ session, body }) => {
      await users.beGone({ userId: session.user._id, sessionId: session.id, tabId: body.tabId })
      return { success: true }
    },
    online: async () => ({ success: true, onlineUsers: await users.online() }),
  }
}
