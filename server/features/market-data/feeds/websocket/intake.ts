// Limits of what one connection may send: a user's own server must not cost the others their time.
import { tokenBucket } from '#server/http/token-bucket.ts'

export interface IntakeLimits {
  readonly messagesAtOnce: number
  readonly messagesPerSecond: number
  readonly bytesAtOnce: number
  readonly bytesPerSecond: number
  readonly bytesOfMessageMax: number
}

export interface Intake {
  /** Counts a message; false if there was too much. */
  take(bytes: number): boolean
}

export function intakeOf(limits: IntakeLimits | undefined, monotonic: () => number): Intake {
  if (limits === undefined) return { take: () => true }
  const messages = tokenBucket({ size: limits.messagesAtOnce, perSecond: limits.messagesPerSecond, monotonic })
  const bytes = tokenBucket({ size: limits.bytesAtOnce, perSecond: limits.bytesPerSecond, monotonic })
  return { take: (size) => messages.take(1) && bytes.take(size) }
}
