// Validates the form that sets a new password.
import type { FieldMessage } from '#shared/http/api-error.ts'
import { adminText } from '#shared/text/en/admin.ts'

export interface PasswordForm {
  /** Only for the own account. */
  readonly currentPassword?: string
  readonly newPassword: string
  readonly confirmPassword: string
}

/** In the order of the screen. */
const fields = ['currentPassword', 'newPassword', 'confirmPassword'] as const satisfies readonly (keyof PasswordForm)[]

export function emptyPasswordForm(isOwn: boolean): PasswordForm {
  return { newPassword: '', confirmPassword: '', ...(isOwn ? { currentPassword: '' } : {}) }
}

/** The message and its first field, or undefined; the minimum length depends on the account, so the server checks it. */
export function findPasswordIssue(form: PasswordForm): FieldMessage<keyof PasswordForm> | undefined {
  const empty = fields.find((field) => form[field] === '')
  if (empty !== undefined) return { field: empty, message: adminText.fillAllFields }
  return form.newPassword === form.confirmPassword ? undefined : { field: 'confirmPassword', message: adminText.passwordsDiffer }
}
