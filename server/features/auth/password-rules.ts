// Rules for new passwords; the length rules of the forms, and the server-only ones.
import { adminPasswordMin, findPasswordIssue } from '#shared/auth/rules.ts'
import { AppError } from '#shared/http/errors.ts'
import { adminText } from '#shared/text/en/admin.ts'
import { authServerText } from '#shared/text/en/auth.ts'
import type { Role } from '#shared/users/user.ts'
import { isCommonPassword } from './common-passwords.ts'

/** @throws AppError invalid: too short (admins: 12), too long, or too common */
export function rejectWeakPassword(password: string, account: { email: string; name: string; role: Role }): void {
  rejectLength(password)
  if (account.role === 'admin' && [...password].length < adminPasswordMin) rejectField('newPassword', adminText.passwordAdminShort)
  if (isCommonPassword(password, account)) rejectField('newPassword', authServerText.passwordCommon)
}

/** The rules that need no account. @throws AppError invalid */
export function rejectLength(password: string): void {
  const issue = findPasswordIssue(password)
  if (issue !== undefined) rejectField('newPassword', issue.message)
}

/** @throws AppError invalid with this message at this field */
export function rejectField(field: string, message: string, code = 'auth.invalid'): never {
  throw new AppError('invalid', message, { code, fields: { [field]: message } })
}

/** @throws AppError invalid if one of the fields is empty */
export function rejectEmpty(form: Readonly<Record<string, string>>): void {
  const empty = Object.entries(form).find(([, value]) => value.trim() === '')
  if (empty !== undefined) rejectField(empty[0], adminText.fillAllFields)
}
