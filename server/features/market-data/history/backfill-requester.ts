// Requests backfills of older candles, with a timeout and without repeating fruitless requests.
import { setTimeout as delay } from 'node:timers/promises'
import type { Timeframe } from '#shared/candles/timeframe.ts'

/** A late page is worse than a short one. */
const timeoutMs = 8_000
/** How long the absence of older candles is cached. */
const fruitlessMs = 5 * 60_000
const namesMax = 2_000

/** `none`: nothing older; `maybe`: there may be more now; `later`: still loading. */
type BackfillOutcome = 'none' | 'maybe' | 'later'

interface Deps {
  readonly extend: (series: string, timeframe: Timeframe, beforeMs: number) => Promise<boolean>
  readonly monotonic: () => number
}

/** Returns `request(series, timeframe, beforeMs)`; a failing source counts as having nothing older for now. */
export function backfillRequester({
  extend,
  monotonic,
}: Deps): (series: string, timeframe: Timeframe, beforeMs: number) => Promise<BackfillOutcome> {
  const fruitless = new Map<string, number>()
  const running = new Map<string, Promise<BackfillOutcome>>()

  async function request(name: string, run: () => Promise<boolean>): Promise<BackfillOutcome> {
    try {
      if (await run()) return 'maybe'
    } catch {
      // Errors are logged by the hub; the page just ends here.
    } finally {
      running.delete(name)
    }
    if (fruitless.size >= namesMax) fruitless.clear()
    fruitless.set(name, monotonic())
    return 'none'
  }

  return async (series, timeframe, beforeMs) => {
    const name = `${series} ${timeframe} ${beforeMs}`
    const triedMs = fruitless.get(name)
    if (triedMs !== undefined && monotonic() - triedMs < fruitlessMs) return 'none'
    const outcome = running.get(name) ?? request(name, () => extend(series, timeframe, beforeMs))
    running.set(name, outcome)
    const timeout = new AbortController()
    try {
      return await Promise.race([outcome, delay(timeoutMs, 'later' as const, { signal: timeout.signal, ref: false })])
    } finally {
      timeout.abort()
    }
  }
}
