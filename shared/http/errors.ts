// Expected errors: a few kinds, each with an HTTP status, and their wire format.
import { z } from 'zod'
import { challengeSchema, type Challenge } from './proof-of-work.ts'

export const statusByKind = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  'too-large': 413,
  'unsupported-media': 415,
  'too-many': 429,
  internal: 500,
  unavailable: 503,
} as const

export type ErrorKind = keyof typeof statusByKind

export type FieldErrors = Readonly<Record<string, string>>

export interface AppErrorDetails {
  /** Machine-readable code owned by a feature, for example `auth.email-taken`. */
  readonly code?: string
  /** Message per form field. */
  readonly fields?: FieldErrors
  readonly retryAfterSeconds?: number
  /** With too-many: solving it allows one attempt at once. */
  readonly challenge?: Challenge
}

/** The only error that services throw on purpose; `server/http/errors.ts` maps it to HTTP. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly kind: ErrorKind
  readonly details: AppErrorDetails

  constructor(kind: ErrorKind, message: string, details: AppErrorDetails = {}) {
    super(message)
    this.kind = kind
    this.details = details
  }

  get status(): number {
    return statusByKind[this.kind]
  }
}

/** Body of every error response. `error` repeats the message, because the specified screens read either field. */
export const problemSchema = z.object({
  success: z.literal(false),
  message: z.string(),
  error: z.string(),
  code: z.string(),
  statuscode: z.number(),
  fields: z.record(z.string(), z.string()).optional(),
  requestId: z.string().optional(),
  challenge: challengeSchema.optional(),
})

export type Problem = z.output<typeof problemSchema>

/** Body of an error response; `error` repeats the message because the specified screens read either field. */
export function problemOf(error: AppError, requestId?: string): Problem {
  return {
    success: false,
    message: error.message,
    error: error.message,
    code: error.details.code ?? error.kind,
    statuscode: error.status,
    ...(error.details.fields === undefined ? {} : { fields: { ...error.details.fields } }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(error.details.challenge === undefined ? {} : { challenge: error.details.challenge }),
  }
}

/** An API error on the client. `status` is 0 without a response. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly fields: FieldErrors
  readonly retryAfterSeconds: number | undefined
  /** Identifies the call in the server's log after a server error. */
  readonly requestId: string | undefined
  /** Solving it allows one more attempt at once. */
  readonly challenge: Challenge | undefined

  constructor(
    status: number,
    problem: {
      message: string
      code?: string
      fields?: FieldErrors | undefined
      requestId?: string | undefined
      challenge?: Challenge | undefined
    },
    retryAfterSeconds?: number,
  ) {
    super(problem.message)
    this.status = status
    this.code = problem.code ?? 'unknown'
    this.fields = problem.fields ?? {}
    this.retryAfterSeconds = retryAfterSeconds
    this.requestId = problem.requestId
    this.challenge = problem.challenge
  }
}

/** A failed check of one form field. */
export interface Issue<Field extends string> {
  readonly field: Field
  readonly message: string
}
