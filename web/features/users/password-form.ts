// Validates the form that sets a new password.
import { adminText } from '#shared/text/en/admin.ts'

export interface PasswordForm {
  readonly newPassword: string
  readonly confirmPassword: string
}

export const emptyPasswordForm: PasswordForm = { newPassword: '', confirmPassword: '' }

/** First error, or undefined; the minimum length depends on the account, so the server checks it. */
export function findPasswordIssue({ newPassword, confirmPassword }: PasswordForm): string | undefined {
  if (newPassword === '' || confirmPassword === '') return adminText.fillAllFields
  return newPassword === confirmPassword ? undefined : adminText.passwordsDiffer
}
