// Waits for a condition by the real clock, also while a test has stopped the clock of the page.
import { vi } from 'vitest'

const { setTimeout: later } = globalThis
const { performance: clock } = globalThis

const everyMs = 5
const timeoutMs = 8000

/** Calls `look` until it does not throw, and gives what it returned; after eight seconds its own error ends the wait. */
export async function eventually<T>(look: () => T | Promise<T>): Promise<T> {
  const deadline = clock.now() + timeoutMs
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (clock.now() > deadline) throw error
    }
    // The query cache tells its listeners in a timer of 0 ms.
    if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(1)
    await new Promise((resolve) => later(resolve, everyMs))
  }
}
