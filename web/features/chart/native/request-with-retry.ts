// Retries a request after a 429, with the delay that the server names.
import type { ApiError } from '#shared/http/api-error.ts'

const rejectionsMax = 10
const pauseMaxSeconds = 30

/**
 * Result of `ask`, which is called again after each 429, up to ten times.
 * Rejects with any other error of `ask`, and with the 429 after the last attempt or when the result is no longer wanted.
 */
export async function requestWithRetry<T>(ask: () => Promise<T>, isWanted: () => boolean): Promise<T> {
  for (let rejections = 1; ; rejections += 1) {
    try {
      return await ask()
    } catch (error) {
      const { status, retryAfterSeconds = 1 } = error as Partial<ApiError>
      if (status !== 429 || rejections > rejectionsMax) throw error
      await pause(Math.min(pauseMaxSeconds, retryAfterSeconds))
      if (!isWanted()) throw error
    }
  }
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, seconds * 1_000)
  })
}
