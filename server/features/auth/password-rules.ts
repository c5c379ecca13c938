// Rules for new passwords; the length rules of the forms, and the server-only ones.
import { adminPasswordMin, findPasswordIssue } from '#shared/auth/rules.ts'
import { AppError, type MessageOf } from '#shared/http/app-error.ts'
import type { Role } from '#shared/users/user.ts'
import { isCommonPassword } from './common-passwords.ts'

/** @throws AppError invalid: too short (admins: 12), too long, or too common */
export function rejectWeakPassword(password: string, account: { email: string; name: string; role: Role }): void {
  rejectLength(password)
  if (account.role === 'admin' && [...password].length < adminPasswordMin) rejectField('newPassword', 'admin.passwordAdminShort')
  if (isCommonPassword(password, account)) rejectField('newPassword', 'auth.passwordCommon')
}

/** The rules that need no account. @throws AppError invalid */
export function rejectLength(password: string): void {
  const issue = findPasswordIssue(password)
  if (issue !== undefined) rejectField('newPassword', issue)
}

/** @throws AppError invalid with this message at this field */
export function rejectField(field: string, message: MessageOf): never {
  throw new AppError('invalid', message, { fields: { [field]: message } })
}

/** @throws AppError invalid if one of the fields is empty */
export function rejectEmpty(form: Readonly<Record<string, string>>): void {
  const empty = Object.entries(form).find(([, value]) => value.trim() === '')
  if (empty !== undefined) rejectField(empty[0], 'admin.fillAllFields')
}
