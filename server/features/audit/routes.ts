// Routes of the audit log.
import { requireRecentPassword, actorOf } from '#server/http/session.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { auditRoutes } from '#shared/audit/contract.ts'
import type { AuditService } from './service.ts'

export function auditHandlers({ audit, now }: { readonly audit: AuditService; readonly now: () => number }): Handlers<typeof auditRoutes> {
  return {
    list: async ({ query }) => ({ success: true, data: await audit.list(query) }),
    export: async ({ session, query, request, reply }) => {
      requireRecentPassword(session, now())
      void reply.header('content-disposition', 'attachment; filename="audit-log.csv"')
      return audit.exportCsv(actorOf({ session, request }), query)
    },
  }
}
