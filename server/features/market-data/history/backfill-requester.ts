// Requests backfills of older candles, with a timeout and without repeating fruitless requests.
import { setTimeout as delay } from 'node:timers/promises'
import type { Timeframe } from '#shared/candles/timeframe.ts'

/** A late page is worse than a short one. */
const timeoutMs = 8_000
/** How long the absence of older candles is cached. */
const believedMs = 5 * 60_000
const namesMax = 2_000

/** `none`: nothing older; `maybe`: there may be more now; `later`: still loading. */
type OlderAnswer = 'none' | 'maybe' | 'later'

interface Deps {
  readonly extend: (series: string, timeframe: Timeframe, beforeMs: number) => Promise<boolean>
  readonly monotonic: () => number
}

/** Returns `ask(series, timeframe, beforeMs)`; a failing source counts as having nothing older for now. */
export function olderAsker({ extend, monotonic }: Deps): (series: string, timeframe: Timeframe, beforeMs: number) => Promise<OlderAnswer> {
  const inVain = new Map<string, number>()
  const asking = new Map<string, Promise<OlderAnswer>>()

  async function ask(name: string, run: () => Promise<boolean>): Promise<OlderAnswer> {
    try {
      if (await run()) return 'maybe'
    } catch {
      // Errors are logged by the hub; the page just ends here.
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
      return await Promise.race([running, delay(timeoutMs, 'later' as const, { signal: bell.signal, ref: false })])
    } finally {
      bell.abort()
    }
  }
}
