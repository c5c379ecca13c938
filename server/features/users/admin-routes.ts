// Contract to service for the admin's area about users.
import type { AuditService } from '#server/features/audit/service.ts'
import { wantRecentPassword } from '#server/features/auth/step-up.ts'
import type { Caller, CurrentSession } from '#server/features/auth/service.ts'
import { actorOf, callerOf } from '#server/http/session.ts'
import type { Handlers } from '#server/http/serve.ts'
import { adminText } from '#shared/text/en/admin.ts'
import type { adminRoutes } from '#shared/users/contract.ts'
import type { AdminUsersService } from './admin-service.ts'

interface AdminNeeds {
  readonly adminUsers: AdminUsersService
  readonly audit: AuditService
  readonly now: () => number
  /** What is needed of the stories of passwords. */
  readonly passwords: { reset(current: CurrentSession, form: { email: string; newPassword: string }, caller: Caller): Promise<void> }
}

export function adminHandlers(needs: AdminNeeds): Handlers<typeof adminRoutes> {
  const { adminUsers, audit, passwords, now } = needs
  return {
    users: async ({ session, query, request, reply }) => {
      const { users, total } = await adminUsers.list(actorOf({ session, request }), query)
      void reply.header('x-total-count', String(total))
      return users
    },
    exportUsers: async ({ session, query, request, reply }) => {
      wantRecentPassword(session, now())
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
