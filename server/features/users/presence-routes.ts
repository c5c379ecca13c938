// Routes of presence.
import type { Handlers } from '#server/http/serve.ts'
import type { presenceRoutes } from '#shared/presence/contract.ts'
import { accountStateOf } from '#shared/users/user.ts'
import type { usersService } from './service.ts'

export function presenceHandlers({ users }: { readonly users: ReturnType<typeof usersService> }): Handlers<typeof presenceRoutes> {
  return {
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
