// Route that reports an error of the browser.
import { z } from 'zod'
import { route } from '#shared/http/route.ts'
import { errorReportPath, messageMax, pathMax, releaseMax, stackMax } from './error-report-limits.ts'

const reportSchema = z.object({
  message: z.string().min(1).max(messageMax),
  stack: z.string().max(stackMax).optional(),
  /** Path of the page, without query and fragment. */
  path: z
    .string()
    .max(pathMax)
    .regex(/^\/[^?#\s]*$/),
  /** Name of the entry chunk, whose hash identifies the build. */
  release: z
    .string()
    .max(releaseMax)
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
