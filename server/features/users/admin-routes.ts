// Contract to service for the admin's area about users.
import type { AuditService } from '#server/features/audit/service.ts'
import type { Caller, CurrentSession } from '#server/features/auth/service.ts'
import { callerOf } from '#server/http/session.ts'
import type { Handlers } from '#server/http/serve.ts'
import { adminText } from '#shared/text/en/admin.ts'
import type { adminRoutes } from '#shared/users/contract.ts'
import type { AdminUsersService } from './admin-service.ts'

interface AdminNeeds {
  readonly adminUsers: AdminUsersService
  readonly audit: AuditService
  /** What is needed of the stories of passwords. */
  readonly passwords: { reset(current: CurrentSession, form: { email: string; newPassword: string }, caller: Caller): Promise<void> }
}

export function adminHandlers(needs: AdminNeeds): Handlers<typeof adminRoutes> {
  const { adminUsers, audit, passwords } = needs
  return {
    users: async ({ query, reply }) => {
      const { users, total } = await adminUsers.list(query)
      void reply.header('x-total-count', String(total))
      return users
    },
    exportUsers: async ({ session, query, request, reply }) => {
      void reply.header('content-disposition', 'attachment; filename="users.csv"')
      return adminUsers.exportCsv({ id: session.user._id, email: session.user.email, address: callerOf(request).address }, query)
    },
    overview: async () => ({ success: true, data: await adminUsers.overview() }),
    audit: async ({ query }) => ({ success: true, data: await audit.list(query) }),
    resetPassword: async ({ session, body, request }) => {
      await passwords.reset(session, body, callerOf(request))
      return { success: true, message: adminText.passwordUpdated }
    },
  }
}
