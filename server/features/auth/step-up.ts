// Acts on money and passwords want a password that was given lately, so that a desk left open is not enough.
import { AppError } from '#shared/http/errors.ts'
import { adminText } from '#shared/text/en/admin.ts'

const recentPasswordMs = 15 * 60_000

/** @throws AppError forbidden with the code `auth.confirm-password` when the last password is older than 15 minutes. */
export function wantRecentPassword(session: { readonly confirmedAtMs: number }, nowMs: number): void {
  if (nowMs - session.confirmedAtMs > recentPasswordMs)
    throw new AppError('forbidden', adminText.confirmPassword, { code: 'auth.confirm-password' })
}
