// Asks for older candles without asking for the same in vain again and again, and without waiting for ever.
import { setTimeout as delay } from 'node:timers/promises'
import type { Timeframe } from '#shared/market/timeframe.ts'

/** A page that is late is worse than one that ends early. */
const patienceMs = 8_000
/** How long a source that had nothing older is believed. */
const believedMs = 5 * 60_000
const namesMax = 2_000

/** `none`: nothing older; `maybe`: there may be more now; `later`: it is still being fetched. */
type OlderAnswer = 'none' | 'maybe' | 'later'

interface Needs {
  readonly extend: (series: string, timeframe: Timeframe, beforeMs: number) => Promise<boolean>
  readonly monotonic: () => number
}

/** Gives `ask(series, timeframe, beforeMs)`; a source that fails counts as one that has nothing older for now. */
export function olderAsker({ extend, monotonic }: Needs): (series: string, timeframe: Timeframe, beforeMs: number) => Promise<OlderAnswer> {
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
    inVain.set(name, monotonic())
    return 'none'
  }

  return async (series, timeframe, beforeMs) => {
    const name = `${series} ${timeframe} ${beforeMs}`
    const triedMs = inVain.get(name)
    if (triedMs !== undefined && monotonic() - triedMs < believedMs) return 'none'
    const running = asking.get(name) ?? ask(name, () => extend(series, timeframe, beforeMs))
    asking.set(name, running)
    const bell = new AbortController()
    try {
      return await Promise.race([running, delay(patienceMs, 'later' as const, { signal: bell.signal, ref: false })])
    } finally {
      bell.abort()
    }
  }
}
