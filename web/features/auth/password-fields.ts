// Fields of the forms that set a new password, and their first error, in the order of sign-up.
import { findPasswordIssue } from '#shared/auth/rules.ts'
import type { FieldMessage } from '#shared/http/api-error.ts'
import { authText } from '#shared/auth/text/en.ts'
import { formatMessage } from '#shared/text/texts.ts'

export const passwordFields = ['currentPassword', 'newPassword', 'confirmPassword'] as const
export type PasswordFieldName = (typeof passwordFields)[number]
export type PasswordValues = Readonly<Record<PasswordFieldName, string>>

export const noPasswords: PasswordValues = { currentPassword: '', newPassword: '', confirmPassword: '' }

/** First error of the visible fields, or undefined: an empty field, two different passwords, a length. */
export function findNewPasswordIssue(
  shown: readonly PasswordFieldName[],
  values: PasswordValues,
): FieldMessage<PasswordFieldName> | undefined {
  const empty = shown.find((field) => values[field] === '')
  if (empty !== undefined) return { field: empty, message: authText.fillAll }
  if (values.newPassword !== values.confirmPassword) return { field: 'confirmPassword', message: authText.passwordsDiffer }
  const issue = findPasswordIssue(values.newPassword)
  return issue === undefined ? undefined : { field: 'newPassword', message: formatMessage(authText, issue) }
}

/** First error that the server reported for a visible field, or undefined; a bare `password` means the new one. */
export function serverPasswordIssue(
  shown: readonly PasswordFieldName[],
  fields: Readonly<Record<string, string>>,
): FieldMessage<PasswordFieldName> | undefined {
  for (const field of shown) {
    const message = fields[field] ?? (field === 'newPassword' ? fields['password'] : undefined)
    if (message !== undefined) return { field, message }
  }
  return undefined
}
