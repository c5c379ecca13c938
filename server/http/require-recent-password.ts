// Sensitive actions need a recent password confirmation, because the device may be unattended.
import { AppError } from '#shared/http/app-error.ts'

const recentPasswordMs = 15 * 60_000

/** @throws AppError forbidden with the code `auth.confirm-password` if the last password check is older than 15 minutes */
export function requireRecentPassword(session: { readonly confirmedAtMs: number }, nowMs: number): void {
  if (nowMs - session.confirmedAtMs > recentPasswordMs) throw new AppError('forbidden', 'admin.confirmPassword')
}
