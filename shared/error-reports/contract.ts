// Route that reports an error of the browser.
import { z } from 'zod'
import { route } from '#shared/http/route.ts'
import { errorReportLimits, errorReportPath } from './error-report-limits.ts'

const reportSchema = z.object({
  message: z.string().min(1).max(errorReportLimits.message),
  stack: z.string().max(errorReportLimits.stack).optional(),
  /** Path of the page, without query and fragment. */
  path: z
    .string()
    .max(errorReportLimits.path)
    .regex(/^\/[^?#\s]*$/),
  /** Name of the entry chunk, whose hash identifies the build. */
  release: z
    .string()
    .max(errorReportLimits.release)
    .regex(/^[\w.-]+$/)
    .optional(),
  /** X-Request-Id of the API call that failed. */
  requestId: z.uuid().optional(),
})

export type ErrorReport = z.output<typeof reportSchema>

export const errorReportRoutes = {
  report: route({
    method: 'POST',
    path: errorReportPath,
    access: 'anyone',
    summary: 'Report an error of the browser; personal data is masked.',
    body: reportSchema,
    reply: z.object({ success: z.literal(true) }),
    isBackground: true,
    errorStatuses: [400, 403, 413, 429],
  }),
}
