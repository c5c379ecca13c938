// The one place that turns an error into an HTTP answer; nothing of a bug reaches the caller but its request id.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, problemOf, statusByKind, type ErrorKind } from '#shared/http/errors.ts'
import { authText } from '#shared/text/en/auth.ts'
import { httpText } from '#shared/text/en/http.ts'
import { OutageError } from '../outage.ts'

/** Restarts and failovers take seconds; who asks again sooner only adds load. */
const outageRetrySeconds = 2

/** Fastify's error handler. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const known = error instanceof AppError ? error : (goneError(error) ?? frameworkError(error))
  const isUdf = request.url.startsWith('/udf/')
  if (error instanceof OutageError) {
    request.log.error({ component: error.component }, error.message)
    const problem = new AppError('unavailable', httpText.unavailable, { code: 'http.unavailable', retryAfterSeconds: outageRetrySeconds })
    sendProblem(reply, problem, { requestId: request.id, isUdf })
    return
  }
  if (known === undefined) {
    request.log.error({ err: error }, 'request failed')
    sendProblem(reply, new AppError('internal', httpText.internal), { requestId: request.id, isUdf })
    return
  }
  if (known.status >= 500) request.log.warn({ code: known.details.code ?? known.kind }, 'request refused')
  sendProblem(reply, known, { requestId: known.status >= 500 ? request.id : undefined, isUdf })
}

function sendProblem(
  reply: FastifyReply,
  error: AppError,
  { requestId, isUdf }: { readonly requestId: string | undefined; readonly isUdf: boolean },
): void {
  if (error.details.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.details.retryAfterSeconds))
  reply.code(error.status).type('application/json; charset=utf-8').serializer(JSON.stringify)
  const problem = problemOf(error, requestId)
  // Chart libraries read these two and nothing else.
  reply.send(isUdf ? { ...problem, s: 'error', errmsg: problem.message } : problem)
}

const textByKind: Partial<Record<ErrorKind, string>> = {
  invalid: httpText.badRequest,
  'not-found': httpText.notFound,
  'too-large': httpText.tooLarge,
  'unsupported-media': httpText.unsupportedMedia,
}

/** A row that refers to an account which was erased while the call ran (PostgreSQL's 23503): nobody is signed in any more. */
function goneError(error: Error & { code?: string }): AppError | undefined {
  if (error.code !== '23503') return undefined
  return new AppError('unauthenticated', authText.sessionMissing, { code: 'auth.session-missing' })
}

/** Refusals that the framework itself made (broken JSON, size, media type), in our words; undefined for real bugs. */
function frameworkError(error: Error & { statusCode?: number; code?: string }): AppError | undefined {
  const status = error.statusCode
  if (status === undefined || status >= 500 || status < 400) return undefined
  const kind = (Object.keys(statusByKind) as ErrorKind[]).find((name) => statusByKind[name] === status) ?? 'invalid'
  return new AppError(kind, textByKind[kind] ?? httpText.badRequest)
}
