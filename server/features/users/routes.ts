// Routes of the signed-in user, their sessions and presence.
import type { CurrentSession } from '#server/http/request-actor.ts'
import type { Handlers } from '#server/http/serve.ts'
import { authServerText } from '#shared/text/en/auth.ts'
import type { userRoutes, UserSession } from '#shared/users/contract.ts'
import { accountStateOf } from '#shared/users/user.ts'
import type { usersService } from './service.ts'

/** The user's own sessions; see the auth feature. */
interface OwnSessions {
  sessionsOf(current: CurrentSession): Promise<UserSession[]>
  endOwnSession(current: CurrentSession, sessionId: string, reason: string): Promise<void>
}

export function usersHandlers(options: { auth: OwnSessions; users: ReturnType<typeof usersService> }): Handlers<typeof userRoutes> {
  const { auth, users } = options
  return {
    me: ({ session }) => Promise.resolve(session.user),
    sessions: async ({ session }) => ({ success: true, data: await auth.sessionsOf(session) }),
    endSession: async ({ session, params }) => {
      await auth.endOwnSession(session, params.id, 'ended by its user')
      return { success: true, message: authServerText.sessionEnded }
    },
    beOnline: async ({ session, body }) => {
      await users.beOnline({ userId: session.user._id, sessionId: session.id, tabId: body.tabId })
      return { success: true, data: accountStateOf(session.user) }
    },
    beGone: async ({ session, body }) => {
      await users.beGone({ userId: session.user._id, sessionId: session.id, tabId: body.tabId })
      return { success: true }
    },
    online: async () => ({ success: true, onlineUsers: await users.online() }),
  }
}
