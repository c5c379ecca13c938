// Maps all errors to HTTP responses; bugs expose only their request id.
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, problemOf } from '#shared/http/app-error.ts'
import { statusByKind, type ErrorKind } from '#shared/http/api-error.ts'
import type { PlainCode } from '#shared/text/messages.ts'
import { OutageError } from '../outages/outage.ts'
import { forgetPages } from './session.ts'

/** Restarts and failovers take seconds; earlier retries only add load. */
const outageRetrySeconds = 2

/** Fastify's error handler. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): void {
  const known = error instanceof AppError ? error : (goneError(error) ?? frameworkError(error))
  if (error instanceof OutageError) {
    request.log.error({ component: error.component }, error.message)
    const problem = new AppError('unavailable', 'http.unavailable', {
      retryAfterSeconds: outageRetrySeconds,
    })
    sendProblem(reply, problem, request.id)
    return
  }
  if (known === undefined) {
    request.log.error({ err: error }, 'request failed')
    sendProblem(reply, new AppError('internal', 'http.internal'), request.id)
    return
  }
  if (request.headers['session-token'] !== undefined && known.said.code.startsWith('auth.session')) reply.header(...forgetPages)
  if (known.status >= 500) request.log.warn({ code: known.said.code }, 'request refused')
  sendProblem(reply, known, known.status >= 500 ? request.id : undefined)
}

function sendProblem(reply: FastifyReply, error: AppError, requestId: string | undefined): void {
  if (error.details.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.details.retryAfterSeconds))
  reply.code(error.status).type('application/json; charset=utf-8').serializer(JSON.stringify)
  reply.send(problemOf(error, requestId))
}

const textByKind: Partial<Record<ErrorKind, PlainCode>> = {
  invalid: 'http.badRequest',
  'not-found': 'http.notFound',
  'too-large': 'http.tooLarge',
  'unsupported-media': 'http.unsupportedMedia',
}

/** A reference to an account that was erased during the call (PostgreSQL's 23503): the user is no longer signed in. */
function goneError(error: Error & { code?: string }): AppError | undefined {
  if (error.code !== '23503') return undefined
  return new AppError('unauthenticated', 'auth.sessionMissing')
}

/** Errors of the framework itself (broken JSON, size, media type), with our messages; undefined for real bugs. */
function frameworkError(error: Error & { statusCode?: number; code?: string }): AppError | undefined {
  const status = error.statusCode
  if (status === undefined || status >= 500 || status < 400) return undefined
  const kind = (Object.keys(statusByKind) as ErrorKind[]).find((name) => statusByKind[name] === status) ?? 'invalid'
  return new AppError(kind, textByKind[kind] ?? 'http.badRequest')
}
