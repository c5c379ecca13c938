// Browser error reports: rate limited, masked, resolved to sources and logged.
import type { FastifyBaseLogger } from 'fastify'
import { rateLimits, rejectWait, type RateLimiter } from '#server/http/rate-limiter.ts'
import type { ErrorReport } from '#shared/error-reports/contract.ts'
import { maskPersonalData } from '#shared/error-reports/mask-personal-data.ts'
import { stackResolver } from './stack-resolver.ts'

export interface ErrorReportsDeps {
  readonly rateLimiter: RateLimiter
  /** Folder of the source maps; undefined disables resolving. */
  readonly sourceMaps: string | undefined
}

export type ErrorReportsService = ReturnType<typeof errorReportsService>

export function errorReportsService({ rateLimiter, sourceMaps }: ErrorReportsDeps) {
  const resolveStack = stackResolver(sourceMaps)

  return {
    /** Writes one line to the request's log. @throws AppError too-many (per address, and in total) */
    async report(report: ErrorReport, { address, log }: { readonly address: string; readonly log: FastifyBaseLogger }): Promise<void> {
      rejectWait(await rateLimiter.hit(`error-report:${address}`, rateLimits.errorReportAddress))
      rejectWait(await rateLimiter.hit('error-report', rateLimits.errorReportAll))
      const stack = report.stack === undefined ? undefined : await resolveStack(maskPersonalData(report.stack))
      log.warn(
        {
          component: 'browser',
          browserError: {
            message: maskPersonalData(report.message),
            path: maskPersonalData(report.path),
            release: report.release,
            failedRequestId: report.requestId,
            stack: stack?.split('\n'),
          },
        },
        'browser error',
      )
    },
  }
}
