// A FeedClock that a test advances, and a way to let real local sockets finish without sleeping.
import type { FeedClock } from '../../feed.ts'

export interface ManualClock extends FeedClock {
  /** Advances and runs due timers in order, each at its own time. Does not wait for sockets. */
  advance(ms: number): void
  /** Passes time in which this process runs nothing; timers that became due run once it is over. */
  block(ms: number): void
  /** Moves the wall clock back (negative) or forward; timers and `monotonic` are unaffected. */
  stepWall(ms: number): void
  /** When the next timer is due, if any. */
  nextDueMs(): number | undefined
  /** Incremented for every timer that is set or run; for `settle`. */
  readonly activity: () => number
}

/** A clock that starts at `startMs`. Its jitter is 0.5 unless a test overrides it. */
export function manualClock(startMs: number, random: () => number = () => 0.5): ManualClock {
  let elapsedMs = 0
  /** Wall clock where `elapsedMs` is 0. */
  let originMs = startMs
  let activity = 0
  const timers = new Set<{ dueMs: number; run: () => unknown }>()

  const earliest = () => {
    let first: { dueMs: number; run: () => unknown } | undefined
    for (const timer of timers) if (first === undefined || timer.dueMs < first.dueMs) first = timer
    return first
  }

  function advance(ms: number): void {
    const untilMs = elapsedMs + ms
    for (let next = earliest(); next !== undefined && next.dueMs <= untilMs; next = earliest()) {
      timers.delete(next)
      activity += 1
      elapsedMs = Math.max(elapsedMs, next.dueMs)
      next.run()
    }
    elapsedMs = untilMs
  }

  return {
    now: () => originMs + elapsedMs,
    monotonic: () => elapsedMs,
    random,
    after(delayMs, run) {
      const timer = { dueMs: elapsedMs + Math.max(0, delayMs), run }
      timers.add(timer)
      activity += 1
      return () => timers.delete(timer)
    },
    advance,
    block(ms) {
      elapsedMs += ms
      advance(0)
    },
    stepWall(ms) {
      originMs += ms
    },
    nextDueMs() {
      const due = earliest()
      return due === undefined ? undefined : originMs + due.dueMs
    },
    activity: () => activity,
  }
}

/** Event loop turns without activity after which nothing is in flight. */
const quietTurns = 12
const mostTurns = 20_000

/**
 * Waits until nothing moves. Both ends of every socket are in this process, so sent data arrives at the next turn of the
 * event loop; several turns without a changed counter mean that all is done.
 */
export async function settle(counters: readonly (() => number)[]): Promise<void> {
  const sum = () => counters.reduce((total, counter) => total + counter(), 0)
  let quiet = 0
  let before = sum()
  for (let turn = 0; quiet < quietTurns; turn += 1) {
    if (turn > mostTurns) throw new Error('Something never comes to rest')
    await new Promise<void>((resolve) => {
      setImmediate(resolve)
    })
    const after = sum()
    quiet = after === before ? quiet + 1 : 0
    before = after
  }
}
