// Reads the answers to sign-in and sign-up as the spec orders it, down to the odd ones.
import { authText } from '#shared/text/en/auth.ts'
import { refusalOf, serverMessageOf } from '#web/lib/failure.ts'

export interface SignUpOutcome {
  readonly isDone: boolean
  readonly message: string
  /** Message per form field, where the server named fields. */
  readonly fields: Readonly<Record<string, string>>
}

/** Never throws; an answer whose `success` is neither true nor false gives its `errorMessage` or 'Signup failed'. */
export function readSignUp(body: unknown): SignUpOutcome {
  const { success, message, errorMessage, fields } = isRecord(body) ? body : {}
  if (success === true) return { isDone: true, message: words(message) ?? authText.signedUp, fields: {} }
  const said = words(errorMessage) ?? authText.signUpFailedShort
  if (success === false) return { isDone: false, message: words(message) ?? said, fields: textFields(fields) }
  return { isDone: false, message: said, fields: {} }
}

/** What a failed sign-in says: the server's sentence, or that the login failed where no answer came. */
export function signInFailureText(error: unknown): string {
  return serverMessageOf(error) ?? authText.signInFailed
}

/** What a sign-up without an answer says: the error's own message where it has one. */
export function signUpFailureText(error: unknown): string {
  const message = refusalOf(error)?.message ?? ''
  return message === '' ? authText.signUpFailed : message
}

function textFields(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

function words(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
