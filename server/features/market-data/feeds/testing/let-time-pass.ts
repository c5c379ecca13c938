// A scripted exchange for tests with real processes: its clock follows the real one.
import type { ManualClock } from './manual-clock.ts'
import type { ScriptedExchange } from './scripted-exchange.ts'

/** Step by which the exchange's clock follows. */
const stepMs = 250

/** Advances the exchange with real time until the returned function is called. */
export function letTimePass(exchange: ScriptedExchange, clock: ManualClock): () => Promise<void> {
  const over = new AbortController()
  const passing = (async () => {
    while (!over.signal.aborted) {
      const behindMs = Date.now() - clock.now()
      if (behindMs >= stepMs) await exchange.play(behindMs)
      else await new Promise((resolve) => setTimeout(resolve, stepMs - behindMs))
    }
  })()
  return () => {
    over.abort()
    return passing
  }
}
