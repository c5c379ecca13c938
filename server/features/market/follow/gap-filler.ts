// After each return of a source: asks its history for what was missed, and once more for what was just being made.
import { minuteMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-spans.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import { FeedError, feedErrorText, type FeedClock, type FeedLog } from '../feed.ts'
import { backOff } from './back-off.ts'
import { fetchMinutes } from './fetch-minutes.ts'
import { fillWithinMs, overlapMs, secondLookMs, settleMs } from './follow-limits.ts'
import type { Candidate } from './follow-port.ts'
import type { MinuteLedger } from './minute-ledger.ts'

/** So often history is asked again for a minute that it ought to have, and so often after errors. */
const looksMax = 4
const errorsMax = 10

export interface FillStart {
  readonly fromMs: number
  /** Whether everything before is stored; otherwise the first minute that comes is the first one known. */
  readonly hasOlder: boolean
}

export interface GapFiller {
  /** The source is live, again or for the first time. */
  begin(): void
  stop(): void
  /** Whether something that was missed has not come yet. */
  isFilling(): boolean
  /** The span since the last call in which the stream has told all minutes, and all of them are over. */
  coveredLive(): TimeSpan | undefined
}

export interface GapNeeds {
  readonly candidate: Candidate
  readonly clock: FeedClock
  readonly ledger: MinuteLedger
  /** Where history begins that nobody has yet. */
  readonly startMs: () => Promise<FillStart>
  readonly log: FeedLog
  /** Everything that was missed is in the ledger. */
  onFilled(): void
  /** It takes longer than a chart should wait; the filler goes on. */
  onSlow(): void
  /** The ledger has changed otherwise. */
  onChange(): void
  /** All minutes of a span that the source has are in the ledger. */
  onCovered(span: TimeSpan): void
}

interface Loading {
  readonly signal: AbortSignal
  readonly errorsAllowed: number
  /** All up to an instant has come. */
  readonly came: (untilMs: number) => void
  /** What came covers a span; for candles that are asked for a second time it is undefined. */
  readonly covers: ((minutes: readonly Candle[], span: TimeSpan, askedMs: number) => void) | undefined
}

/** Fills the ledger of one candidate. */
export function gapFiller(needs: GapNeeds): GapFiller {
  const { candidate, clock, ledger } = needs
  let life = new AbortController()
  /** Start of what is still missing; undefined if nothing is. */
  let missingMs: number | undefined
  let isFilling = false
  /** Up to here nothing was missing once. */
  let sureMs: number | undefined
  /** Minutes before the first that ever came are not known to be missing or quiet. */
  let hasOlder = true
  /** From here on the stream has told everything; undefined while history has to confirm it. */
  let liveFromMs: number | undefined
  /** Where what a source without a stream has told ends: what follows may be late, and is known to be quiet only when more comes. */
  let unsureMs: number | undefined
  const isStream = candidate.feed.live === 'minutes' || candidate.feed.live === 'trades'

  /** Where to begin after a cut; undefined if this is the first time. */
  function missingSince(): number | undefined {
    if (missingMs !== undefined || sureMs === undefined) return missingMs
    return Math.min(Math.max(sureMs, ledger.newestMs() ?? sureMs) - overlapMs, ...ledger.doubtful())
  }

  async function fill(signal: AbortSignal): Promise<void> {
    liveFromMs = undefined
    isFilling = true
    const liveMs = floorMinute(clock.now())
    const known = missingSince()
    ledger.doubt(Math.min(known ?? liveMs, liveMs), liveMs)
    const cancelSlow = clock.after(fillWithinMs, () => needs.onSlow())
    signal.addEventListener('abort', cancelSlow)
    missingMs = known
    if (missingMs === undefined) ({ fromMs: missingMs, hasOlder } = await needs.startMs())
    ledger.doubt(Math.min(missingMs, liveMs), liveMs)
    await load(missingMs, liveMs, { signal, errorsAllowed: Number.POSITIVE_INFINITY, came: (endMs) => (missingMs = endMs), covers: cover })
    if (signal.aborted) return
    cancelSlow()
    missingMs = undefined
    isFilling = false
    sureMs = liveMs
    needs.onFilled()
    await lookAgain(liveMs, signal)
  }

  /** Asks for [fromMs, toMs) until all of it has come; false if that was given up. */
  async function load(fromMs: number, toMs: number, { signal, errorsAllowed, came, covers }: Loading): Promise<boolean> {
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
        covers?.(minutes, { fromMs: nextMs, toMs: Math.min(endMs, toMs) }, askedMs)
        nextMs = endMs
        came(endMs)
        pause.reset()
      } catch (error) {
        if (signal.aborted) return false
        errors += 1
        needs.log('history does not come', { reason: feedErrorText(error) })
        if (errors >= errorsAllowed) return false
        await wait(clock, Math.max(pause.next(), error instanceof FeedError ? (error.retryAfterMs ?? 0) : 0), signal)
      }
    }
    return !signal.aborted
  }

  /** What an answer covers: not what is older than the source reaches, nor what is before its first candle. */
  function cover(minutes: readonly Candle[], { fromMs, toMs }: TimeSpan, askedMs: number): void {
    const [first, last] = [minutes[0], minutes.at(-1)]
    const firstMs = hasOlder ? fromMs : first?.timeMs
    if (firstMs === undefined) return
    hasOlder = true
    const reachedMs = askedMs - (candidate.feed.reachMs?.['1m'] ?? Infinity)
    unsureMs = Math.max(unsureMs ?? firstMs, reachedMs)
    const endMs = isStream ? toMs : last === undefined ? unsureMs : last.timeMs + minuteMs
    needs.onCovered({ fromMs: unsureMs, toMs: endMs })
    unsureMs = isStream ? undefined : Math.max(unsureMs, endMs)
  }

  /**
   * The minute in which the source became live was heard in part only, and those before may not have been settled when
   * history was asked. Until they have been looked at again the clock does not close them.
   */
  async function lookAgain(liveMs: number, signal: AbortSignal): Promise<void> {
    let confirmedMs: number | undefined
    for (let look = 1; look <= looksMax; look += 1) {
      const endMs = Math.max(liveMs, ...ledger.doubtful()) + minuteMs
      await wait(clock, Math.max(endMs + settleMs - clock.now(), look === 1 ? 0 : 2 * look * settleMs), signal)
      const isDone = await load(liveMs - secondLookMs, endMs, {
        signal,
        errorsAllowed: errorsMax,
        came: () => undefined,
        covers: isStream ? cover : undefined,
      })
      if (signal.aborted) return
      if (isDone) confirmedMs = endMs
      needs.onChange()
      if (!isDone || ledger.doubtful().length === 0) break
    }
    ledger.trust()
    // Where history did not answer, the minute that was heard in part may be wrong for ever.
    liveFromMs = isStream ? (confirmedMs ?? liveMs + minuteMs) : unsureMs
    needs.onChange()
  }

  return {
    begin() {
      life.abort()
      life = new AbortController()
      fill(life.signal).catch((error: unknown) => needs.log('gap not filled', { reason: String(error) }))
    },
    stop: () => life.abort(),
    isFilling: () => isFilling,
    coveredLive() {
      if (liveFromMs === undefined || isFilling) return undefined
      const newestMs = ledger.newestMs()
      const toldMs = isStream ? Infinity : newestMs === undefined ? -Infinity : newestMs + minuteMs
      const untilMs = Math.min(toldMs, ledger.closedUntil(clock.now()))
      if (untilMs <= liveFromMs) return undefined
      const span = { fromMs: liveFromMs, toMs: untilMs }
      liveFromMs = untilMs
      return span
    },
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
