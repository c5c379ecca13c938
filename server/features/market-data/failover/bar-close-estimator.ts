// Estimates when a minute can be closed by our clock if the source's clock may be behind: learns from arrival times.
import { minuteMs } from '#shared/base/durations.ts'
import { closeGraceMs } from './timeouts.ts'

const lagMaxMs = 90_000
const startsKept = 5

export interface ClosingClock {
  /** The first update of a minute newer than all before. */
  begun(timeMs: number, nowMs: number): void
  /** An update of the newest minute after our clock had closed it. */
  surprised(timeMs: number, nowMs: number): void
  isOver(timeMs: number, nowMs: number): boolean
}

/**
 * An update after the close shows that the source's clock is behind ours, or that it was slow once; the delay of the
 * next minutes bounds it from above, so a single slow moment is dropped and a wrong clock is not.
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
