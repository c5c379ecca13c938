// The forms that set a new password as values: their fields, and the first fault in the order of sign-up.
import { findPasswordFault, type Fault } from '#shared/auth/rules.ts'
import { authText } from '#shared/text/en/auth.ts'

export const passwordFields = ['currentPassword', 'newPassword', 'confirmPassword'] as const
export type PasswordField = (typeof passwordFields)[number]
export type PasswordValues = Readonly<Record<PasswordField, string>>

export const noPasswords: PasswordValues = { currentPassword: '', newPassword: '', confirmPassword: '' }

/** First fault of the shown fields, or undefined: an empty field, two different passwords, a length. */
export function findNewPasswordFault(shown: readonly PasswordField[], values: PasswordValues): Fault<PasswordField> | undefined {
  const empty = shown.find((field) => values[field] === '')
  if (empty !== undefined) return { field: empty, message: authText.fillAll }
  if (values.newPassword !== values.confirmPassword) return { field: 'confirmPassword', message: authText.passwordsDiffer }
  const fault = findPasswordFault(values.newPassword)
  return fault === undefined ? undefined : { field: 'newPassword', message: fault.message }
}

/** The first fault that the server named in a shown field, or undefined; a bare `password` is the new one. */
export function serverPasswordFault(
  shown: readonly PasswordField[],
  fields: Readonly<Record<string, string>>,
): Fault<PasswordField> | undefined {
  for (const field of shown) {
    const message = fields[field] ?? (field === 'newPassword' ? fields['password'] : undefined)
    if (message !== undefined) return { field, message }
  }
  return undefined
}

const tokenMark = '#token='

/** The token of a link such as `/reset-password#token=abc`, given the part from # on; undefined where there is none. */
export function readToken(hash: string): string | undefined {
  const token = hash.startsWith(tokenMark) ? hash.slice(tokenMark.length) : ''
  return token === '' ? undefined : token
}
