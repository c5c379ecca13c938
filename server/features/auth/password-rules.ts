// Which new passwords an account may have; the length rules of the forms, and what only the server knows.
import { adminPasswordMin, findPasswordFault } from '#shared/auth/rules.ts'
import { AppError } from '#shared/http/errors.ts'
import { adminText } from '#shared/text/en/admin.ts'
import { authText } from '#shared/text/en/auth.ts'
import type { Role } from '#shared/users/user.ts'
import { isCommonPassword } from './common-passwords.ts'

/** @throws AppError invalid: too short (admins: 12), too long, or one that everybody tries first. */
export function refuseWeakPassword(password: string, account: { email: string; name: string; role: Role }): void {
  refuseLength(password)
  if (account.role === 'admin' && [...password].length < adminPasswordMin) refuseField('newPassword', adminText.passwordAdminShort)
  if (isCommonPassword(password, account)) refuseField('newPassword', authText.passwordCommon)
}

/** The rules that need no account. @throws AppError invalid. */
export function refuseLength(password: string): void {
  const fault = findPasswordFault(password)
  if (fault !== undefined) refuseField('newPassword', fault.message)
}

/** @throws AppError invalid with this sentence at this field. */
export function refuseField(field: string, message: string, code = 'auth.invalid'): never {
  throw new AppError('invalid', message, { code, fields: { [field]: message } })
}

/** @throws AppError invalid where one of the fields is empty. */
export function refuseEmpty(form: Readonly<Record<string, string>>): void {
  const empty = Object.entries(form).find(([, value]) => value.trim() === '')
  if (empty !== undefined) refuseField(empty[0], adminText.fillAllFields)
}
