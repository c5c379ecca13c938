// After each return of a source: asks its history for what was missed, and once more for what was just being made.
import { minuteMs } from '#shared/base/durations.ts'
import { FeedError, type FeedClock, type FeedLog } from '../feed.ts'
import { backOff } from './back-off.ts'
import { fetchMinutes } from './fetch-minutes.ts'
import { fillWithinMs, overlapMs, secondLookMs, settleMs } from './follow-limits.ts'
import type { Candidate } from './follow-port.ts'
import type { MinuteLedger } from './minute-ledger.ts'

/** So often history is asked again for a minute that it ought to have, and so often after errors. */
const looksMax = 4
const errorsMax = 10

export interface GapFiller {
  /** The source is live, again or for the first time. */
  begin(): void
  stop(): void
}

export interface GapNeeds {
  readonly candidate: Candidate
  readonly clock: FeedClock
  readonly ledger: MinuteLedger
  /** Where history begins that nobody has yet. */
  readonly startMs: () => Promise<number>
  readonly log: FeedLog
  /** Everything that was missed is in the ledger. */
  onFilled(): void
  /** It takes longer than a chart should wait; the filler goes on. */
  onSlow(): void
  /** The ledger has changed otherwise. */
  onChange(): void
}

interface Loading {
  readonly signal: AbortSignal
  readonly errorsAllowed: number
  /** All up to an instant has come. */
  readonly came: (untilMs: number) => void
}

/** Fills the ledger of one candidate. */
export function gapFiller(needs: GapNeeds): GapFiller {
  const { candidate, clock, ledger } = needs
  let life = new AbortController()
  /** Start of what is still missing; undefined if nothing is. */
  let missingMs: number | undefined
  /** Up to here nothing was missing once. */
  let sureMs: number | undefined

  /** Where to begin after a cut; undefined if this is the first time. */
  function missingSince(): number | undefined {
    if (missingMs !== undefined || sureMs === undefined) return missingMs
    return Math.min(Math.max(sureMs, ledger.newestMs() ?? sureMs) - overlapMs, ...ledger.doubtful())
  }

  async function fill(signal: AbortSignal): Promise<void> {
    const liveMs = floorMinute(clock.now())
    const known = missingSince()
    ledger.doubt(Math.min(known ?? liveMs, liveMs), liveMs)
    const cancelSlow = clock.after(fillWithinMs, () => needs.onSlow())
    signal.addEventListener('abort', cancelSlow)
    missingMs = known ?? (await needs.startMs())
    ledger.doubt(Math.min(missingMs, liveMs), liveMs)
    await load(missingMs, liveMs, { signal, errorsAllowed: Number.POSITIVE_INFINITY, came: (endMs) => (missingMs = endMs) })
    if (signal.aborted) return
    cancelSlow()
    missingMs = undefined
    sureMs = liveMs
    needs.onFilled()
    await lookAgain(liveMs, signal)
  }

  /** Asks for [fromMs, toMs) until all of it has come; false if that was given up. */
  async function load(fromMs: number, toMs: number, { signal, errorsAllowed, came }: Loading): Promise<boolean> {
    if (!candidate.feed.steps.includes('1m')) return true
    const pause = backOff(clock)
    let nextMs = fromMs
    let errors = 0
    while (nextMs < toMs && !signal.aborted) {
      const askedMs = clock.now()
      try {
        const span = { fromMs: nextMs, toMs, lastClose: ledger.closeAt(nextMs), signal }
        const { minutes, endMs, faults } = await fetchMinutes(candidate, span, clock)
        if (signal.aborted) return false
        if (faults > 0) needs.log('rows of history refused', { rows: faults })
        ledger.recall(minutes, askedMs)
        nextMs = endMs
        came(endMs)
        pause.reset()
      } catch (error) {
        if (signal.aborted) return false
        errors += 1
        needs.log('history does not come', { reason: error instanceof FeedError ? `${error.kind}: ${error.message}` : String(error) })
        if (errors >= errorsAllowed) return false
        await wait(clock, Math.max(pause.next(), error instanceof FeedError ? (error.retryAfterMs ?? 0) : 0), signal)
      }
    }
    return !signal.aborted
  }

  /**
   * The minute in which the source became live was heard in part only, and those before may not have been settled when
   * history was asked. Until they have been looked at again the clock does not close them.
   */
  async function lookAgain(liveMs: number, signal: AbortSignal): Promise<void> {
    for (let look = 1; look <= looksMax; look += 1) {
      const endMs = Math.max(liveMs, ...ledger.doubtful()) + minuteMs
      await wait(clock, Math.max(endMs + settleMs - clock.now(), look === 1 ? 0 : 2 * look * settleMs), signal)
      const isDone = await load(liveMs - secondLookMs, endMs, { signal, errorsAllowed: errorsMax, came: () => undefined })
      if (signal.aborted) return
      needs.onChange()
      if (!isDone || ledger.doubtful().length === 0) break
    }
    ledger.trust()
    needs.onChange()
  }

  return {
    begin() {
      life.abort()
      life = new AbortController()
      fill(life.signal).catch((error: unknown) => needs.log('gap not filled', { reason: String(error) }))
    },
    stop: () => life.abort(),
  }
}

function floorMinute(ms: number): number {
  return Math.floor(ms / minuteMs) * minuteMs
}

/** Resolves after a while, or as soon as the wait is pointless. */
function wait(clock: FeedClock, delayMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  const cancel = clock.after(delayMs, resolve)
  signal.addEventListener('abort', () => {
    cancel()
    resolve()
  })
  return promise
}
