// Estimate of the server's clock: trading hours and countdowns must not depend on a wrong browser clock.
import { secondMs } from '#shared/base/durations.ts'

/** Smaller differences are mostly network latency; a larger change means that a clock was set. */
const toleranceMs = 2 * secondMs

let live: number | undefined
let fromResponses = 0

/** Records the time in a response, on arrival. */
export function noteServerTime(serverMs: number): void {
  const differenceMs = serverMs - Date.now()
  fromResponses = Math.abs(differenceMs) < toleranceMs ? 0 : differenceMs
}

/**
 * Records the time in a message of the live connection, on arrival. A message can only be late, so the largest offset is the
 * most accurate. Undefined forgets the earlier ones.
 */
export function noteLiveTime(serverMs: number | undefined): void {
  const offsetMs = serverMs === undefined ? undefined : serverMs - Date.now()
  const isLate = offsetMs !== undefined && live !== undefined && offsetMs < live && live - offsetMs <= toleranceMs
  if (!isLate) live = offsetMs
}

/** Server clock minus browser clock, in milliseconds; 0 until it is known. */
export function serverOffsetMs(): number {
  return live ?? fromResponses
}
