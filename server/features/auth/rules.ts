// Rules of the server for new passwords, forms and sessions.
import { dictionary } from '@zxcvbn-ts/language-common'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { adminPasswordMin, findPasswordIssue, isEmail } from '#shared/auth/rules.ts'
import { AppError, type MessageOf } from '#shared/http/app-error.ts'
import type { Role } from '#shared/users/user.ts'

const common = new Set<string>(dictionary['passwords-common'].map((word) => word.toLowerCase()))
const productWords = ['tezi', 'trading', 'trader', 'nifty', 'banknifty', 'sensex', 'premium', 'tradingview']

/** Admin sessions are short, because they give access to all users' data. */
const sessionLifetimes: Readonly<Record<Role, { idleTimeoutMs: number; absoluteTimeoutMs: number }>> = {
  user: { idleTimeoutMs: 7 * dayMs, absoluteTimeoutMs: 30 * dayMs },
  admin: { idleTimeoutMs: 30 * minuteMs, absoluteTimeoutMs: 12 * hourMs },
}

/** True for listed passwords, product words with a number appended, and the account's own email or name. */
export function isCommonPassword(password: string, account: { email: string; name: string }): boolean {
  const lower = password.toLowerCase()
  const stem = lower.replace(/[\d!@#$%^&*._-]{0,8}$/, '')
  if (common.has(lower) || productWords.includes(stem)) return true
  const [mailbox = ''] = account.email.split('@')
  return lower === account.email || lower === mailbox || lower === account.name.trim().toLowerCase()
}

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

/** The error of an email without an account. */
export function noSuchUser(): AppError {
  return new AppError('not-found', 'admin.noSuchUser', { fields: { email: 'admin.noSuchUser' } })
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

/** @throws AppError invalid if the normalised email of a form is empty or malformed */
export function rejectInvalidEmail(email: string): void {
  if (email === '') rejectField('email', 'auth.fillRequired')
  if (!isEmail(email)) rejectField('email', 'auth.emailInvalid')
}

/** True until the idle or absolute lifetime of the role has passed. */
export function isSessionActive(session: { createdAtMs: number; lastSeenAtMs: number }, role: Role, nowMs: number): boolean {
  const { idleTimeoutMs, absoluteTimeoutMs } = sessionLifetimes[role]
  return nowMs - session.createdAtMs < absoluteTimeoutMs && nowMs - session.lastSeenAtMs < idleTimeoutMs
}
