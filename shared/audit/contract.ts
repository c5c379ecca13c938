// Route of the audit log.
import { z } from 'zod'
import { route } from '#shared/http/route.ts'

const auditSchema = z.object({
  id: z.string(),
  at: z.string(),
  actor: z.string(),
  action: z.string(),
  target: z.string(),
  address: z.string(),
  details: z.string(),
})

export type AuditRow = z.output<typeof auditSchema>

export const auditRoutes = {
  list: route({
    method: 'GET',
    path: '/admin/audit',
    access: 'admin',
    summary: 'Acts of admins and refused ones, newest first, 50 at a time; `before` is the id that ended the last page.',
    query: z.object({
      before: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
      search: z.string().trim().max(100).optional(),
    }),
    reply: z.object({ success: z.literal(true), data: z.array(auditSchema) }),
    errorStatuses: [400, 401, 403],
  }),
}
