// Estimate of the server's clock: trading hours, countdowns and the header's clock must not depend on a wrong device clock.
import { secondMs } from '#shared/base/durations.ts'

/** Smaller differences of a response are mostly network latency. */
const toleranceMs = 2 * secondMs
/** A message can only be late, so the largest offset is the most accurate; older ones are forgotten, as device clocks drift. */
const keptBeats = 5
/** A larger change against the monotonic clock means that the device's clock was set. */
const leastStepMs = secondMs / 2
/** Longer than the pause between two messages with the server's time. */
const doubtMs = 12 * secondMs

/** A device clock that went ahead was set, or the device slept while its monotonic clock stood; the next message decides. */
interface Leap {
  readonly byMs: number
  /** On the monotonic clock. Without a message by then, the device has slept. */
  readonly untilMs: number
}

/** Server clock minus device clock, of the last messages. */
let beats: readonly number[] = []
let fromResponses = 0
let leap: Leap | undefined
let wallAheadMs = Date.now() - performance.now()

/** Records the time in a response, on arrival. */
export function noteServerTime(serverMs: number): void {
  noticeStep()
  const offsetMs = serverMs - Date.now()
  if (leap !== undefined) beats = []
  leap = undefined
  fromResponses = Math.abs(offsetMs) < toleranceMs ? 0 : offsetMs
}

/** Records the time in a message of the live connection, on arrival. Undefined forgets the earlier ones. */
export function noteLiveTime(serverMs: number | undefined): void {
  noticeStep()
  const earlier = leap === undefined && serverMs !== undefined ? beats : []
  leap = undefined
  beats = serverMs === undefined ? [] : [...earlier, serverMs - Date.now()].slice(-keptBeats)
}

/** Server clock minus device clock, in milliseconds; 0 until it is known. */
export function serverOffsetMs(): number {
  noticeStep()
  const measured = beats.length === 0 ? fromResponses : Math.max(...beats)
  return measured - leapNow()
}

function leapNow(): number {
  if (leap !== undefined && performance.now() >= leap.untilMs) leap = undefined
  return leap?.byMs ?? 0
}

/** The header asks every second, so that no step is older. */
function noticeStep(): void {
  const aheadMs = Date.now() - performance.now()
  const byMs = aheadMs - wallAheadMs
  wallAheadMs = aheadMs
  if (Math.abs(byMs) < leastStepMs) return
  const leapMs = leapNow()
  if (byMs > 0 || leapMs !== 0) {
    leap = { byMs: leapMs + byMs, untilMs: performance.now() + doubtMs }
    return
  }
  beats = beats.map((offsetMs) => offsetMs - byMs)
  fromResponses -= byMs
}
