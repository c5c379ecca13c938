// Expected errors: a few kinds, each with an HTTP status, and their wire format.
import { z } from 'zod'
import { httpText } from '#shared/http/text/en.ts'
import { challengeSchema, type Challenge } from './proof.ts'
import type { WireReply } from './route.ts'

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

/** Beside an English sentence: its code, which names a text as `name.key`, and the parameters of that text. */
export const messageShape = { code: z.string(), params: z.array(z.union([z.string(), z.number()])).optional() }

/** Body of every error response. `error` repeats the message, because the specified screens read either field. */
export const problemSchema = z.object({
  success: z.literal(false),
  message: z.string(),
  error: z.string(),
  ...messageShape,
  statuscode: z.number(),
  fields: z.record(z.string(), z.string()).optional(),
  /** The messages of `fields`, as codes with parameters. */
  fieldCodes: z.record(z.string(), z.object(messageShape)).optional(),
  requestId: z.string().optional(),
  challenge: challengeSchema.optional(),
})

export type Problem = z.output<typeof problemSchema>

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

/** The error of a response with status 400 or above. */
export function apiErrorFrom({ status, body, retryAfterSeconds }: WireReply): ApiError {
  const problem = problemSchema.safeParse(body)
  return new ApiError(status, problem.success ? problem.data : { message: messageOf(status, body) }, retryAfterSeconds)
}

/** Text is shown as it is, except for the HTML page of a proxy, which gets no message. */
function messageOf(status: number, body: unknown): string {
  if (typeof body !== 'string' || body === '') return httpText.requestFailed(status)
  return body.trimStart().startsWith('<') ? '' : body.slice(0, 200)
}

/** A sentence to show at one form field. */
export interface FieldMessage<Field extends string> {
  readonly field: Field
  readonly message: string
}
