// Asks again after the pause that the server names, where it has had enough for now.
import { ApiError } from '#shared/http/errors.ts'

const refusalsMax = 10
const pauseMaxSeconds = 30

/**
 * The answer of `ask`, which is called again after each 429, up to ten times.
 * Rejects with what else `ask` rejects with, and with the refusal where it was the last or the answer is not wanted any more.
 */
export async function askPatiently<T>(ask: () => Promise<T>, isWanted: () => boolean): Promise<T> {
  for (let refusals = 1; ; refusals += 1) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429 || refusals > refusalsMax) throw error
      await pause(Math.min(pauseMaxSeconds, error.retryAfterSeconds ?? 1))
      if (!isWanted()) throw error
    }
  }
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, seconds * 1_000)
  })
}
