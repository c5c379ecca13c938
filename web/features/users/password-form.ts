// The form that sets a new password: what is faulty about it.
import { adminText } from '#shared/text/en/admin.ts'

export interface PasswordForm {
  readonly newPassword: string
  readonly confirmPassword: string
}

export const emptyPasswordForm: PasswordForm = { newPassword: '', confirmPassword: '' }

/** The first fault, or undefined; how long a password must be depends on the account, so the server says that. */
export function findPasswordFault({ newPassword, confirmPassword }: PasswordForm): string | undefined {
  if (newPassword === '' || confirmPassword === '') return adminText.fillAllFields
  return newPassword === confirmPassword ? undefined : adminText.passwordsDiffer
}
