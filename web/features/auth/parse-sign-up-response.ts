// Parses the responses to sign-in and sign-up as the specification requires, including malformed ones.
import { authText } from '#shared/auth/text/en.ts'
import { apiErrorOf, serverMessageOf } from '#web/lib/api-error.ts'

export interface SignUpResult {
  readonly isDone: boolean
  readonly message: string
  /** Error message per form field. */
  readonly fields: Readonly<Record<string, string>>
}

/** Never throws; if `success` is neither true nor false the message is `errorMessage` or 'Signup failed'. */
export function parseSignUpResponse(body: unknown): SignUpResult {
  const { success, message, errorMessage, fields } = isRecord(body) ? body : {}
  if (success === true) return { isDone: true, message: nonEmptyText(message) ?? authText.signedUp, fields: {} }
  const reported = nonEmptyText(errorMessage) ?? authText.signUpFailedShort
  if (success === false) return { isDone: false, message: nonEmptyText(message) ?? reported, fields: textFields(fields) }
  return { isDone: false, message: reported, fields: {} }
}

/** Message of a failed sign-in: the server's, or a generic one without a response. */
export function signInFailureText(error: unknown): string {
  return serverMessageOf(error) ?? authText.signInFailed
}

/** Message of a sign-up without a response: the error's own, if it has one. */
export function signUpFailureText(error: unknown): string {
  const message = apiErrorOf(error)?.message ?? ''
  return message === '' ? authText.signUpFailed : message
}

function textFields(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
