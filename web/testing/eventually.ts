// Waits for a condition in real time, also while a test fakes the page's clock.
import { vi } from 'vitest'

const { setTimeout: later } = globalThis
const { performance: clock } = globalThis

const everyMs = 5
/** For a busy machine; no test waits that long for a result that comes. */
const timeoutMs = 20_000
/** How far one wait may move a faked clock: a limit that is a tenth of a second late still fails its test. */
const fakedMsMax = 20

/** Calls `look` until it does not throw, and returns its result; after 20 seconds it rejects with the last error. */
export async function eventually<T>(look: () => T | Promise<T>): Promise<T> {
  const deadline = clock.now() + timeoutMs
  let fakedMs = 0
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (clock.now() > deadline) throw error
    }
    // The query cache notifies its listeners in a timer of 0 ms.
    if (vi.isFakeTimers() && fakedMs < fakedMsMax) {
      fakedMs += 1
      await vi.advanceTimersByTimeAsync(1)
    }
    await new Promise((resolve) => later(resolve, everyMs))
  }
}
