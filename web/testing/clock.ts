// Fake clock of the page.
import { vi } from 'vitest'
import { noteLiveTime, noteServerTime } from '#web/features/market-data/server-offset.ts'

/** Fakes timers and the time of day; `setup.ts` restores them after the test. */
export function stopClock(at: string | number = Date.now()): void {
  vi.useFakeTimers({ now: new Date(at), toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] })
  trustDeviceClock()
}

/** The page has heard nothing of the server's time yet. */
export function trustDeviceClock(): void {
  noteLiveTime(undefined)
  noteServerTime(Date.now())
}

/** Advances the clock and runs all due timers. */
export async function passTime(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
}
