// When a minute can be closed by our clock although the source's clock may be behind: learns from when statements arrive.
import { minuteMs } from '#shared/base/durations.ts'
import { closeGraceMs } from './follow-limits.ts'

const lagMaxMs = 90_000
const startsKept = 5

export interface ClosingClock {
  /** The first statement of a newer minute than all before came. */
  begun(timeMs: number, nowMs: number): void
  /** A statement came for the newest minute although our clock had closed it. */
  surprised(timeMs: number, nowMs: number): void
  isOver(timeMs: number, nowMs: number): boolean
}

/**
 * A statement after the close proves that the source's clock is behind ours, or that it was slow once; how late the next
 * minutes begin bounds it from above, so one slow moment is forgotten and a wrong clock is not.
 */
export function closingClock(): ClosingClock {
  let provenLagMs = 0
  let startDelaysMs: readonly number[] = []
  return {
    begun(timeMs, nowMs) {
      startDelaysMs = [...startDelaysMs, Math.max(0, nowMs - timeMs)].slice(-startsKept)
      provenLagMs = Math.min(provenLagMs, ...startDelaysMs)
    },
    surprised(timeMs, nowMs) {
      provenLagMs = Math.min(lagMaxMs, Math.max(provenLagMs, nowMs - timeMs - minuteMs))
    },
    isOver: (timeMs, nowMs) => nowMs >= timeMs + minuteMs + closeGraceMs + provenLagMs,
  }
}
