// Routes of the admin's user management.
import { requireRecentPassword, actorOf } from '#server/http/session.ts'
import { streamedArray, type Handlers } from '#server/http/serve.ts'
import type { adminRoutes } from '#shared/users/contract.ts'
import type { AdminUsersService } from './admin-service.ts'

interface AdminOptions {
  readonly adminUsers: AdminUsersService
  readonly now: () => number
}

export function adminHandlers({ adminUsers, now }: AdminOptions): Handlers<typeof adminRoutes> {
  return {
    users: async ({ session, query, request, reply }) => {
      const admin = actorOf({ session, request })
      if (query.page !== undefined || query.perPage !== undefined) {
        const { users, total } = await adminUsers.list(admin, query)
        void reply.header('x-total-count', String(total))
        return users
      }
      const { batches, total } = await adminUsers.listAll(admin, query)
      void reply.header('x-total-count', String(total))
      return streamedArray(batches, reply)
    },
    exportUsers: async ({ session, query, request, reply }) => {
      requireRecentPassword(session, now())
      void reply.header('content-disposition', 'attachment; filename="users.csv"')
      return adminUsers.exportCsv(actorOf({ session, request }), query)
    },
    overview: async () => ({ success: true, data: await adminUsers.overview() }),
  }
}
