// Routes of the audit log.
import { z } from 'zod'
import { route } from '#shared/http/route.ts'
import { auditActions } from './audit-actions.ts'

const auditSchema = z.object({
  id: z.string(),
  at: z.string(),
  /** Email at the time of the entry, or another name where no account acted. */
  actor: z.string(),
  /** Present name of the account; null without one. */
  actorName: z.string().nullable(),
  action: z.string(),
  target: z.string(),
  targetName: z.string().nullable(),
  address: z.string(),
  details: z.string(),
})

export type AuditRow = z.output<typeof auditSchema>

const name = z.string().trim().max(100).optional()
const day = z.iso.date().optional()

const auditFilter = z.object({
  /** A substring of the email or the name. */
  actor: name,
  target: name,
  /** One action, or all; by default those of admins. */
  action: z.enum(['all', ...auditActions]).optional(),
  /** First and last day in India. */
  from: day,
  to: day,
})

export type AuditFilter = z.output<typeof auditFilter>

/** An export stops here; a narrower range of days gives the rest. */
export const auditExportMax = 100_000

export const auditRoutes = {
  list: route({
    method: 'GET',
    path: '/admin/audit',
    access: 'admin',
    summary:
      'Entries of the audit log, by default the acts of admins, newest first, 50 at a time; `before` is the id that ended the last page.',
    query: auditFilter.extend({
      before: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
    }),
    reply: z.object({ success: z.literal(true), data: z.array(auditSchema) }),
    errorStatuses: [400, 401, 403],
  }),
  export: route({
    method: 'GET',
    path: '/admin/audit.csv',
    access: 'admin',
    summary:
      'The newest 100,000 entries of a filter as CSV, streamed. Asks for the own password when the sign-in is older than 15 minutes.',
    query: auditFilter,
    reply: z.string(),
    replyType: 'text/csv; charset=utf-8',
    errorStatuses: [400, 401, 403],
  }),
}
