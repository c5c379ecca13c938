// Asks for older candles without asking for the same in vain again and again, and without waiting for ever.
import { setTimeout as delay } from 'node:timers/promises'
import type { HistoryStep } from '../feed.ts'

/** A page that is late is worse than one that ends early. */
const patienceMs = 8_000
/** How long a source that had nothing older is believed. */
const believedMs = 5 * 60_000
const namesMax = 2_000

/** `none`: nothing older; `maybe`: there may be more now; `later`: it is still being fetched. */
type OlderAnswer = 'none' | 'maybe' | 'later'

interface Needs {
  readonly extend: (series: string, step: HistoryStep, beforeMs: number) => Promise<boolean>
  readonly now: () => number
}

/** Gives `ask(series, step, beforeMs)`; a source that fails counts as one that has nothing older for now. */
export function olderAsker({ extend, now }: Needs): (series: string, step: HistoryStep, beforeMs: number) => Promise<OlderAnswer> {
  const inVain = new Map<string, number>()
  const asking = new Map<string, Promise<OlderAnswer>>()

  async function ask(name: string, run: () => Promise<boolean>): Promise<OlderAnswer> {
    try {
      if (await run()) return 'maybe'
    } catch {
      // Who fetches has its own log; for the page it only means that it ends here.
    } finally {
      asking.delete(name)
    }
    if (inVain.size >= namesMax) inVain.clear()
    inVain.set(name, now())
    return 'none'
  }

  return async (series, step, beforeMs) => {
    const name = `${series} ${step} ${beforeMs}`
    const triedMs = inVain.get(name)
    if (triedMs !== undefined && now() - triedMs < believedMs) return 'none'
    const running = asking.get(name) ?? ask(name, () => extend(series, step, beforeMs))
    asking.set(name, running)
    const bell = new AbortController()
    try {
      return await Promise.race([running, delay(patienceMs, 'later' as const, { signal: bell.signal, ref: false })])
    } finally {
      bell.abort()
    }
  }
}
