// Limits the sessions that one user can open in a day.
import { rateLimits, type RateLimiter } from '#server/http/rate-limiter.ts'
import { AppError } from '#shared/http/app-error.ts'

/**
 * Counts a session that `open` resolves to; undefined and rejections do not count, so that a stranger's wrong codes do
 * not use up the owner's sessions. @throws AppError too-many
 */
export async function withinSessionLimit<S>(
  rateLimiter: RateLimiter,
  userId: string,
  open: () => Promise<S | undefined>,
): Promise<S | undefined> {
  const bucket = `sessions:${userId}`
  const wait = await rateLimiter.hit(bucket, rateLimits.sessionsUser)
  if (wait !== undefined) throw new AppError('too-many', 'auth.tooManySignIns', { retryAfterSeconds: wait })
  let session: S | undefined
  try {
    session = await open()
  } finally {
    if (session === undefined) await rateLimiter.giveBack(bucket)
  }
  return session
}
