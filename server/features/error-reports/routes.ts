// Routes of browser error reports.
import { callerOf } from '#server/http/session.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { errorReportRoutes } from '#shared/error-reports/contract.ts'
import type { ErrorReportsService } from './service.ts'

export function errorReportHandlers(deps: { errorReports: ErrorReportsService }): Handlers<typeof errorReportRoutes> {
  return {
    report: async ({ body, request }) => {
      await deps.errorReports.report(body, { address: callerOf(request).address, log: request.log })
      return { success: true }
    },
  }
}
