// The server's clock as this page knows it: hours of markets and countdowns must not follow a browser's wrong clock.
import { secondMs } from '#shared/base/durations.ts'

/** Most of a smaller difference is the time that the response took. */
const toleranceMs = 2 * secondMs

let live: number | undefined
let fromResponses = 0

/** Takes the time that a response carried, at its arrival. */
export function noteServerTime(serverMs: number): void {
  const differenceMs = serverMs - Date.now()
  fromResponses = Math.abs(differenceMs) < toleranceMs ? 0 : differenceMs
}

/** Takes the offset that the live connection has measured, which is better; undefined where there is none. */
export function noteLiveOffset(offsetMs: number | undefined): void {
  live = offsetMs
}

/** The server's clock minus the browser's, in milliseconds; 0 until it is known. */
export function serverOffsetMs(): number {
  return live ?? fromResponses
}
