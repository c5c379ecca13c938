// Routes of the current user, of presence, and of the admin's list of users.
import { streamedArray, type Handlers } from '#server/http/serve.ts'
import { actorOf, requireRecentPassword } from '#server/http/session.ts'
import type { presenceRoutes } from '#shared/presence/contract.ts'
import type { adminRoutes, userRoutes } from '#shared/users/contract.ts'
import { accountStateOf } from '#shared/users/user.ts'
import type { UsersService } from './service.ts'

export const userHandlers: Handlers<typeof userRoutes> = { me: ({ session }) => Promise.resolve(session.user) }

export function presenceHandlers({ users }: { readonly users: UsersService }): Handlers<typeof presenceRoutes> {
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

export function adminHandlers({ users, now }: { readonly users: UsersService; readonly now: () => number }): Handlers<typeof adminRoutes> {
  return {
    users: async (incoming) => {
      const { query, reply } = incoming
      const admin = actorOf(incoming)
      if (query.page !== undefined || query.perPage !== undefined) {
        const page = await users.list(admin, query)
        void reply.header('x-total-count', String(page.total))
        return page.users
      }
      const { batches, total } = await users.listAll(admin, query)
      void reply.header('x-total-count', String(total))
      return streamedArray(batches, reply)
    },
    exportUsers: async (incoming) => {
      requireRecentPassword(incoming.session, now())
      void incoming.reply.header('content-disposition', 'attachment; filename="users.csv"')
      return users.exportCsv(actorOf(incoming), incoming.query)
    },
    overview: async () => ({ success: true, data: await users.overview() }),
  }
}
