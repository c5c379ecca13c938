// A scripted exchange beside real processes: its clock goes as ours does.
import type { ManualClock } from './manual-clock.ts'
import type { ScriptedExchange } from './scripted-exchange.ts'

/** The exchange's clock goes with ours in steps of so much. */
const stepMs = 250

/** Lets the exchange's time pass as ours does, until the returned function is called. */
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
