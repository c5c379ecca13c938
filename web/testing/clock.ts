// The clock of the page, stopped and moved on by a test.
import { vi } from 'vitest'

/** Stops timers and the time of day; `setup.ts` lets them run again after the test. */
export function stopClock(at: string | number = Date.now()): void {
  vi.useFakeTimers({ now: new Date(at), toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
}

/** Moves the clock on, with everything that becomes due. */
export async function passTime(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
}
