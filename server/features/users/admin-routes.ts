// Routes of the admin's user management.
import type { AuditService } from '#server/features/audit/service.ts'
import { requireRecentPassword } from '#server/http/require-recent-password.ts'
import type { Caller, CurrentSession } from '#server/http/request-actor.ts'
import { actorOf, callerOf } from '#server/http/session.ts'
import type { Handlers } from '#server/http/serve.ts'
import { adminText } from '#shared/text/en/admin.ts'
import type { adminRoutes } from '#shared/users/contract.ts'
import type { AdminUsersService } from './admin-service.ts'

interface AdminOptions {
  readonly adminUsers: AdminUsersService
  readonly audit: AuditService
  readonly now: () => number
  /** The required part of the password service. */
  readonly passwords: { reset(current: CurrentSession, form: { email: string; newPassword: string }, caller: Caller): Promise<void> }
}

export function adminHandlers(options: AdminOptions): Handlers<typeof adminRoutes> {
  const { adminUsers, audit, passwords, now } = options
  return {
    users: async ({ session, query, request, reply }) => {
      const { users, total } = await adminUsers.list(actorOf({ session, request }), query)
      void reply.header('x-total-count', String(total))
      return users
    },
    exportUsers: async ({ session, query, request, reply }) => {
      requireRecentPassword(session, now())
      void reply.header('content-disposition', 'attachment; filename="users.csv"')
      return adminUsers.exportCsv(actorOf({ session, request }), query)
    },
    overview: async () => ({ success: true, data: await adminUsers.overview() }),
    audit: async ({ query }) => ({ success: true, data: await audit.list(query) }),
    resetPassword: async ({ session, body, request }) => {
      await passwords.reset(session, body, callerOf(request))
      return { success: true, message: adminText.passwordUpdated }
    },
  }
}
