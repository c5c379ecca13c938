// Converts thrown values to error reports: masked, truncated, deduplicated, limited per page load.
import type { ErrorReport } from '#shared/error-reports/contract.ts'
import { maskPersonalData } from '#shared/error-reports/mask-personal-data.ts'
import { errorReportLimits, errorReportPath } from '#shared/error-reports/error-report-limits.ts'
import { basePath } from '#shared/http/route.ts'
import { apiErrorOf } from './api-error.ts'

export const reportsMax = 5

/** Noise from browsers and third-party scripts, without actionable content. */
const noise = /^(?:ResizeObserver loop|Script error\.?$)/

export interface ErrorReporterOptions {
  readonly send: (report: ErrorReport) => Promise<unknown>
  readonly path: () => string
  readonly release: () => string | undefined
}

export function errorReporter({ send, path, release }: ErrorReporterOptions): (error: unknown) => void {
  const seen = new Set<string>()
  return (thrown) => {
    try {
      const described = describe(thrown)
      if (described === undefined) return
      const key = `${described.message}\n${described.stack}`
      if (seen.has(key) || seen.size === reportsMax) return
      seen.add(key)
      const build = release()
      send({
        ...described,
        path: clean(path(), errorReportLimits.path),
        ...(build === undefined ? {} : { release: build.slice(0, errorReportLimits.release) }),
      }).catch(() => {})
    } catch {
      // Ignore a value that cannot be read.
    }
  }
}

function describe(error: unknown): Pick<ErrorReport, 'message' | 'stack' | 'requestId'> | undefined {
  const apiError = apiErrorOf(error)
  // Rejected requests and lost connections are not bugs; the server has logged its own errors with this id.
  if (apiError !== undefined && apiError.status < 500) return undefined
  if (!(error instanceof Error))
    return isNoise(String(error)) ? undefined : { message: clean(String(error), errorReportLimits.message) || 'unknown' }
  if (error.name === 'AbortError' || isNoise(error.message)) return undefined
  return {
    message: clean(`${error.name}: ${error.message}`, errorReportLimits.message),
    ...(error.stack === undefined ? {} : { stack: clean(error.stack, errorReportLimits.stack) }),
    ...(apiError?.requestId === undefined ? {} : { requestId: apiError.requestId }),
  }
}

function isNoise(message: string): boolean {
  return noise.test(message)
}

/** Masked and truncated; the server rejects NUL and lone surrogates, which truncation can create. */
function clean(text: string, max: number): string {
  return maskPersonalData(text).replaceAll('\u0000', '').slice(0, max).toWellFormed()
}

/** Name of the entry chunk, whose hash changes with each build. */
function entryChunk(): string | undefined {
  const source = document.querySelector<HTMLScriptElement>('script[type="module"][src^="/assets/"]')?.src
  return source?.slice(source.lastIndexOf('/') + 1)
}

const pageReporter = errorReporter({
  // `keepalive` survives a closing page; neither cookie nor session is sent.
  send: (report) =>
    fetch(basePath + errorReportPath, {
      method: 'POST',
      keepalive: true,
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(report),
    }),
  path: () => location.pathname,
  release: entryChunk,
})

/** Reports the error of an `error` or `unhandledrejection` event. */
export function reportEvent(event: Event): void {
  pageReporter(event instanceof ErrorEvent ? (event.error ?? event.message) : (event as PromiseRejectionEvent).reason)
}
