// Judges the clock of this machine by other clocks.
import { failed, ok, warning, type CheckResult } from './check.ts'

export interface ClockReading {
  /** Whose clock: the database, or the host of a URL. */
  readonly from: string
  /** Milliseconds that this machine is ahead of it. */
  readonly aheadMs: number
}

/** What a check of another server found, and its clock if it has shown one. */
export interface CheckReport {
  readonly results: readonly CheckResult[]
  readonly readings: readonly ClockReading[]
}

/** HTTP dates are whole seconds. */
const toleranceMs = 2_000
/** Codes of authenticator apps change every 30 seconds. */
const failedMs = 30_000

/** One result: the largest difference counts, because any of them is a reason to look. */
export function clockResult(readings: readonly ClockReading[]): CheckResult {
  const name = 'clock'
  const action = 'Switch on time synchronisation ("timedatectl set-ntp true") on this machine and on that of the database.'
  const [worst] = readings.toSorted((one, other) => Math.abs(other.aheadMs) - Math.abs(one.aheadMs))
  if (worst === undefined)
    return warning(name, 'no other clock was reachable to compare with', 'Compare the output of "date -u" with a clock that you trust.')
  const seconds = Math.abs(worst.aheadMs) / 1_000
  if (seconds * 1_000 <= toleranceMs) return ok(name, `agrees with ${readings.map(({ from }) => from).join(', ')}`)
  const found = `${seconds.toFixed(0)} s ${worst.aheadMs > 0 ? 'ahead of' : 'behind'} ${worst.from}`
  if (Math.abs(worst.aheadMs) > failedMs) return failed(name, `${found}: codes of authenticator apps are rejected`, action)
  return warning(name, found, action)
}

/**
 * Reads an HTTP date. Returns undefined without one, or for a cached response.
 * @param sentMs wall clock before the request, epoch milliseconds
 * @param receivedMs wall clock after the response
 */
export function readDate(
  from: string,
  date: string | null,
  age: string | null,
  sentMs: number,
  receivedMs: number,
): ClockReading | undefined {
  const serverMs = date === null || (age !== null && age !== '0') ? NaN : Date.parse(date)
  if (Number.isNaN(serverMs)) return undefined
  // The middle of the second that the date names.
  return { from, aheadMs: aheadOf(serverMs + 500, sentMs, receivedMs) }
}

/** Milliseconds that this machine is certainly ahead of a clock that was read between two instants of its own. */
export function aheadOf(otherMs: number, sentMs: number, receivedMs: number): number {
  const aheadMs = (sentMs + receivedMs) / 2 - otherMs
  // A slow answer must not look like a wrong clock.
  return Math.round(Math.sign(aheadMs) * Math.max(0, Math.abs(aheadMs) - (receivedMs - sentMs) / 2))
}
