// The one place that turns an error into an HTTP answer; nothing of a bug reaches the caller but its request id.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, statusByKind, type ErrorKind, type Problem } from '#shared/http/errors.ts'
import { httpText } from '#shared/text/en/http.ts'

/** Body of a refusal; `error` repeats the sentence because the specified screens read either. */
export function problemOf(error: AppError, requestId?: string): Problem {
  return {
    success: false,
    message: error.message,
    error: error.message,
    code: error.details.code ?? error.kind,
    statuscode: error.status,
    ...(error.details.fields === undefined ? {} : { fields: { ...error.details.fields } }),
    ...(requestId === undefined ? {} : { requestId }),
  }
}

/** Fastify's error handler. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const known = error instanceof AppError ? error : frameworkError(error)
  if (known === undefined) {
    request.log.error({ err: error }, 'request failed')
    sendProblem(reply, new AppError('internal', httpText.internal), request.id)
    return
  }
  if (known.status >= 500) request.log.warn({ code: known.details.code ?? known.kind }, 'request refused')
  sendProblem(reply, known, known.status >= 500 ? request.id : undefined)
}

function sendProblem(reply: FastifyReply, error: AppError, requestId: string | undefined): void {
  if (error.details.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.details.retryAfterSeconds))
  reply.code(error.status).type('application/json; charset=utf-8').serializer(JSON.stringify)
  reply.send(problemOf(error, requestId))
}

const textByKind: Partial<Record<ErrorKind, string>> = {
  invalid: httpText.badRequest,
  'not-found': httpText.notFound,
  'too-large': httpText.tooLarge,
  'unsupported-media': httpText.unsupportedMedia,
}

/** Refusals that the framework itself made (broken JSON, size, media type), in our words; undefined for real bugs. */
function frameworkError(error: Error & { statusCode?: number; code?: string }): AppError | undefined {
  const status = error.statusCode
  if (status === undefined || status >= 500 || status < 400) return undefined
  const kind = (Object.keys(statusByKind) as ErrorKind[]).find((name) => statusByKind[name] === status) ?? 'invalid'
  return new AppError(kind, textByKind[kind] ?? httpText.badRequest)
}
