// Validates the form that sets a new password.
import { adminText } from '#shared/text/en/admin.ts'

export interface PasswordForm {
  /** Only for the own account. */
  readonly currentPassword?: string
  readonly newPassword: string
  readonly confirmPassword: string
}

export function emptyPasswordForm(isOwn: boolean): PasswordForm {
  return { newPassword: '', confirmPassword: '', ...(isOwn ? { currentPassword: '' } : {}) }
}

/** First error, or undefined; the minimum length depends on the account, so the server checks it. */
export function findPasswordIssue(form: PasswordForm): string | undefined {
  if (Object.values(form).includes('')) return adminText.fillAllFields
  return form.newPassword === form.confirmPassword ? undefined : adminText.passwordsDiffer
}
