// Route of the audit log.
import type { Handlers } from '#server/http/serve.ts'
import type { auditRoutes } from '#shared/audit/contract.ts'
import type { AuditService } from './service.ts'

export function auditHandlers({ audit }: { readonly audit: AuditService }): Handlers<typeof auditRoutes> {
  return { list: async ({ query }) => ({ success: true, data: await audit.list(query) }) }
}
