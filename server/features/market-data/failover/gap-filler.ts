// Backfills from history after each reconnect, and requests minutes that were not final once more.
import { dayMs, minuteMs, secondMs } from '#shared/base/durations.ts'
import { subtractSpans, type TimeSpan } from '#shared/base/time-span.ts'
import type { Candle, DataLabel } from '#shared/candles/candle.ts'
import { checkRows } from '#shared/candles/jump-guard.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { wait } from '../real-clock.ts'
import { FeedError, feedErrorText, type Feed, type FeedClock, type FeedLog, type RejectedRow } from '../feed.ts'
import { BackOff } from './back-off.ts'
import { rememberedMinutes, type SourceMinutes } from './source-minutes.ts'

/** Maximum time that prices wait for missing candles; after it the gap is filled later. */
const fillWithinMs = 20 * secondMs
/** Timeout of one history request, which may have to wait for a rate limit. */
const requestWithinMs = 2 * minuteMs
/** Chunk of one history request. */
const requestSpanMs = 3 * dayMs
/** Delay until sources have the newest minute in their history. */
const settleMs = 5 * secondMs
/** Overlap requested before the newest minute after a cut: a connection can be dead for a while before it is detected. */
const overlapMs = 2 * minuteMs
/** Minutes before a source became live that are requested once more when they are final. */
const recheckMs = 4 * minuteMs
/** A message about an older minute is not believed to be about it. */
const suspectMaxAgeMs = 15 * minuteMs
/** Older stored minutes are not continued in one go. */
const longestFillMs = 60 * dayMs
/** Maximum history requests for a missing minute, and retries after errors. */
const rechecksMax = 4
const errorsMax = 10

/** One way to get a series; the first working one is used. */
export interface SourceCandidate {
  readonly feed: Feed
  /** The source's symbol that is valid today. */
  readonly symbol: string
  /** Silence in milliseconds after which prices are stale while the market is open. */
  readonly staleAfterMs: number
  /** The source's trading hours, if they differ from the series: the demo trades at any hour. */
  readonly sessionClass?: SessionClass
  /** The source's display name. */
  readonly label?: Pick<DataLabel, 'source'>
}

export interface GapFillerOptions {
  readonly candidate: SourceCandidate
  readonly clock: FeedClock
  readonly log: FeedLog
  readonly minutes: SourceMinutes
  /** Minutes of history to request if nothing is stored. */
  readonly backfillMinutes: number
  readonly storedUntilMs: () => Promise<number | undefined>
  /** Until when the stream was alive. */
  readonly provenMs: () => number
  /** All missed minutes are in the buffer. */
  onFilled(): void
  /** Takes longer than a chart should wait; the filler continues. */
  onSlow(): void
  /** The buffer has changed otherwise. */
  onChange(): void
  /** All minutes that the source has in this span are in the buffer. */
  onCovered(span: TimeSpan): void
  /** Whether the stream has the price of a row that its neighbours do not confirm. */
  isSeen(row: Candle): boolean
  /** The newest minute of a response. */
  onHistory(newest: Candle): void
  /** A response of history, with its rejected rows. */
  onResponse(requested: TimeSpan, rejected: readonly RejectedRow[]): void
}

interface FetchedMinutes {
  readonly minutes: readonly Candle[]
  /** End of the span that the response covers: rows with a jump that only later rows can confirm belong to the next chunk. */
  readonly endMs: number
  /** Invalid rows, and jumps that the other rows refute: their minutes are unknown. */
  readonly rejected: readonly RejectedRow[]
  /** Minutes of the last rows if they have a jump that no later row confirms yet. */
  readonly open: readonly TimeSpan[]
}

interface LoadOptions {
  readonly signal: AbortSignal
  readonly errorsAllowed: number
  /** Whether the received minutes count as covered. */
  readonly isCovering: boolean
  /** Everything up to this instant has arrived. */
  readonly onProgress?: (untilMs: number) => void
}

/** Fills the minute buffer of one candidate. */
export class GapFiller {
  readonly #options: GapFillerOptions
  #life = new AbortController()
  /** Start of what is still missing; undefined if nothing is. */
  #missingMs: number | undefined
  #isFilling = false
  #isRechecking = false
  readonly #suspects = new SuspectMinutes()
  /** Up to here nothing was missing at some point. */
  #completeMs: number | undefined
  /** Minutes before the first received one are not known to be missing or quiet. */
  #hasOlder = true
  /** The stream is complete from here on; undefined while history has to confirm it. */
  #liveFromMs: number | undefined
  /** End of the minutes from a source without a stream: later ones may be delayed, and count as quiet only when more arrive. */
  #unsureMs: number | undefined
  readonly #isStream: boolean

  constructor(options: GapFillerOptions) {
    this.#options = options
    this.#isStream = options.candidate.feed.live === 'minutes' || options.candidate.feed.live === 'trades'
  }

  /** The source is live, again or for the first time. */
  begin(): void {
    this.#life.abort()
    this.#life = new AbortController()
    this.#fill(this.#life.signal).catch((error: unknown) => this.#options.log('gap not filled', { reason: String(error) }))
  }

  stop(): void {
    this.#life.abort()
  }

  /** A message of a minute could not be used: history is requested when the minute is final, until then it is not covered. */
  suspect(timeMs: number): void {
    if (!this.#suspects.add(timeMs)) return
    const covered = this.coveredLive()
    if (covered !== undefined) this.#options.onCovered(covered)
    if (covered !== undefined && !this.#isStream) this.#unsureMs = covered.toMs
    this.#options.minutes.suspect(timeMs, timeMs)
    if (this.#isFilling || this.#isRechecking) return
    this.#liveFromMs = undefined
    this.#recheck(timeMs, this.#life.signal).catch((error: unknown) =>
      this.#options.log('minute not requested again', { reason: String(error) }),
    )
  }

  /** Whether missed minutes are still outstanding. */
  isFilling(): boolean {
    return this.#isFilling
  }

  /** The span since the last call for which the stream has emitted all minutes, all closed, while it was alive. */
  coveredLive(): TimeSpan | undefined {
    if (this.#liveFromMs === undefined || this.#isFilling) return undefined
    const newestMs = this.#options.minutes.newestMs()
    const emittedMs = this.#isStream ? floorMinute(this.#options.provenMs()) : newestMs === undefined ? -Infinity : newestMs + minuteMs
    const untilMs = Math.min(emittedMs, this.#options.minutes.closedUntil(this.#options.clock.now()))
    if (untilMs <= this.#liveFromMs) return undefined
    const span = { fromMs: this.#liveFromMs, toMs: untilMs }
    this.#liveFromMs = untilMs
    return span
  }

  /** Where to start after a cut; undefined for the first connection. */
  #missingSince(): number | undefined {
    if (this.#missingMs !== undefined || this.#completeMs === undefined) return this.#missingMs
    const newestMs = Math.max(this.#completeMs, this.#options.minutes.newestMs() ?? this.#completeMs)
    return Math.min(newestMs - overlapMs, ...this.#options.minutes.suspects())
  }

  async #fill(signal: AbortSignal): Promise<void> {
    this.#liveFromMs = undefined
    this.#isFilling = true
    this.#isRechecking = false
    const liveMs = floorMinute(this.#options.clock.now())
    const missingMs = this.#missingSince()
    this.#options.minutes.suspect(Math.min(missingMs ?? liveMs, liveMs), liveMs)
    const cancelSlow = this.#options.clock.after(fillWithinMs, () => this.#options.onSlow())
    signal.addEventListener('abort', cancelSlow)
    this.#missingMs = missingMs ?? (await this.#startMs())
    this.#options.minutes.suspect(Math.min(this.#missingMs, liveMs), liveMs)
    await this.#load(this.#missingMs, liveMs, {
      signal,
      errorsAllowed: Infinity,
      isCovering: true,
      onProgress: (untilMs) => (this.#missingMs = untilMs),
    })
    if (signal.aborted) return
    cancelSlow()
    this.#missingMs = undefined
    this.#isFilling = false
    this.#completeMs = liveMs
    this.#options.onFilled()
    await this.#recheck(liveMs, signal)
  }

  /** Where history starts that is not stored yet; if nothing is stored, the first received minute is the first known one. */
  async #startMs(): Promise<number> {
    const { clock, log, backfillMinutes, storedUntilMs } = this.#options
    const storedMs = await storedUntilMs().catch((error: unknown) => {
      log('newest stored candle unknown', { reason: String(error) })
      return undefined
    })
    this.#hasOlder = storedMs !== undefined
    const nowMs = clock.now()
    // The newest stored minutes may have been fetched before the source had finalised them.
    const fromMs = storedMs === undefined ? nowMs - backfillMinutes * minuteMs : storedMs - recheckMs
    return floorMinute(Math.max(fromMs, nowMs - longestFillMs))
  }

  /** Requests [fromMs, toMs) until all of it has arrived; false if it gave up. */
  async #load(fromMs: number, toMs: number, { signal, errorsAllowed, isCovering, onProgress }: LoadOptions): Promise<boolean> {
    const { candidate, clock, minutes, log } = this.#options
    if (!candidate.feed.steps.includes('1m')) return true
    const retryDelay = new BackOff(clock)
    let nextMs = fromMs
    let errors = 0
    while (nextMs < toMs && !signal.aborted) {
      const requestedMs = clock.now()
      try {
        const found = await this.#fetch({ fromMs: nextMs, toMs }, signal)
        if (signal.aborted) return false
        const requested = { fromMs: nextMs, toMs: Math.min(found.endMs, toMs) }
        this.#options.onResponse(requested, found.rejected)
        minutes.addHistory(found.minutes, requestedMs)
        const newest = found.minutes.at(-1)
        if (newest !== undefined) this.#options.onHistory(newest)
        for (const open of found.open.filter((one) => one.fromMs >= requestedMs - suspectMaxAgeMs)) this.#suspects.add(open.fromMs)
        if (isCovering) this.#cover(found, requested, requestedMs)
        nextMs = found.endMs
        onProgress?.(nextMs)
        retryDelay.reset()
      } catch (error) {
        if (signal.aborted) return false
        errors += 1
        log('history does not come', { reason: feedErrorText(error) })
        if (errors >= errorsAllowed) return false
        await wait(clock, Math.max(retryDelay.next(), error instanceof FeedError ? (error.retryAfterMs ?? 0) : 0), signal)
      }
    }
    return !signal.aborted
  }

  /** The next chunk of a span from its start, within a timeout and without unconfirmed jumps. @throws FeedError */
  async #fetch({ fromMs, toMs }: TimeSpan, life: AbortSignal): Promise<FetchedMinutes> {
    const { candidate, clock, minutes } = this.#options
    const { feed, symbol } = candidate
    const endMs = Math.min(toMs, fromMs + requestSpanMs)
    const timeout = new AbortController()
    const signal = AbortSignal.any([life, timeout.signal])
    const over = Promise.withResolvers<never>()
    const cancel = clock.after(requestWithinMs, () => {
      timeout.abort()
      over.reject(new FeedError('unreachable', `history did not come within ${requestWithinMs / 1000} s`))
    })
    let invalid: readonly RejectedRow[] = []
    const onRejected = (rows: readonly RejectedRow[]): void => void (invalid = invalid.concat(rows))
    try {
      const rows = await Promise.race([feed.history({ symbol, step: '1m', fromMs, toMs: endMs, signal, onRejected }), over.promise])
      // What a source without a stream emits is its history, and no other evidence.
      const isSeen = this.#isStream ? (row: Candle) => this.#options.isSeen(row) : undefined
      const { confirmed, refuted, open } = checkRows(rows, { lastClose: minutes.closeAt(fromMs), isSeen })
      const openMs = open[0]?.timeMs ?? endMs
      const isLast = endMs === toMs
      const doneMs = isLast || openMs === fromMs ? endMs : openMs
      const jumps = (isLast ? refuted : [...refuted, ...open]).map(jumpOf)
      return {
        minutes: confirmed,
        endMs: doneMs,
        rejected: [...invalid, ...jumps]
          .filter(({ span }) => span.fromMs < doneMs)
          .toSorted((one, other) => one.span.fromMs - other.span.fromMs),
        open: isLast ? open.map(minuteOf) : [],
      }
    } finally {
      cancel()
    }
  }

  /** The span that a response covers: not beyond the source's history depth, nor before its first candle. */
  #cover({ minutes, rejected, open }: FetchedMinutes, { fromMs, toMs }: TimeSpan, requestedMs: number): void {
    const [first, last] = [minutes[0], minutes.at(-1)]
    const firstMs = this.#hasOlder ? fromMs : first?.timeMs
    if (firstMs === undefined) return
    this.#hasOlder = true
    const reachedMs = requestedMs - (this.#options.candidate.feed.reachMs?.['1m'] ?? Infinity)
    this.#unsureMs = Math.max(this.#unsureMs ?? firstMs, reachedMs)
    const endMs = this.#isStream ? toMs : last === undefined ? this.#unsureMs : last.timeMs + minuteMs
    const unknown = [...rejected.map(({ span }) => span), ...open].toSorted((one, other) => one.fromMs - other.fromMs)
    const known = subtractSpans([{ fromMs: this.#unsureMs, toMs: endMs }], unknown)
    for (const span of known) this.#options.onCovered(span)
    this.#unsureMs = this.#isStream ? undefined : Math.max(this.#unsureMs, endMs)
  }

  /**
   * The minute in which the source became live is partial, and earlier ones may not have been final when history was
   * requested, as may those of which a message could not be used. Until they are requested again the clock does not
   * close them.
   */
  async #recheck(liveMs: number, signal: AbortSignal): Promise<void> {
    const { clock, minutes } = this.#options
    this.#isRechecking = true
    const suspects = (): readonly number[] => [...minutes.suspects(), ...this.#suspects.list()]
    let confirmedMs: number | undefined
    for (let check = 1; check <= rechecksMax; check += 1) {
      const firstMs = Math.min(liveMs, ...this.#suspects.list())
      const endMs = Math.max(liveMs, ...suspects()) + minuteMs
      await wait(clock, Math.max(endMs + settleMs - clock.now(), check === 1 ? 0 : 2 * check * settleMs), signal)
      const isCovering = this.#isStream || this.#suspects.list().length > 0
      const isDone = await this.#load(firstMs - recheckMs, endMs, { signal, errorsAllowed: errorsMax, isCovering })
      if (signal.aborted) return
      if (isDone) this.#suspects.settle((confirmedMs = endMs))
      this.#options.onChange()
      if (!isDone || suspects().length === 0) break
    }
    this.#isRechecking = false
    minutes.accept()
    // Without history the partial minute may stay wrong. A minute still suspect is a hole, which is requested later.
    const sureMs = this.#isStream ? (confirmedMs ?? liveMs + minuteMs) : (this.#unsureMs ?? liveMs)
    this.#liveFromMs = Math.max(sureMs, ...this.#suspects.list().map((timeMs) => timeMs + minuteMs))
    this.#suspects.settle(Infinity)
    this.#options.onChange()
  }
}

/** Minutes of which a message could not be used, until history has returned them. */
class SuspectMinutes {
  readonly #open = new Set<number>()
  /** Returned by history: a repeated message does not request them again. */
  readonly #settled = new Set<number>()

  /** Whether the minute was not suspect before. */
  add(timeMs: number): boolean {
    if (this.#settled.has(timeMs) || this.#open.has(timeMs)) return false
    this.#open.add(timeMs)
    return true
  }

  /** Timestamps of the minutes that history has not returned. */
  list(): readonly number[] {
    return [...this.#open]
  }

  /** History has returned the minutes before an instant. */
  settle(untilMs: number): void {
    for (const timeMs of this.#open) {
      if (timeMs >= untilMs) continue
      this.#open.delete(timeMs)
      this.#settled.add(timeMs)
      if (this.#settled.size > rememberedMinutes) for (const oldest of this.#settled.values().take(1)) this.#settled.delete(oldest)
    }
  }
}

/** The minutes that an unusable message may have been about: one without a usable time may have been the last of the minute before. */
export function suspectMinutes(timeMs: number, nowMs: number): readonly number[] {
  const thisMs = floorMinute(nowMs)
  const isUsable = timeMs % minuteMs === 0 && timeMs >= thisMs - suspectMaxAgeMs && timeMs <= thisMs + minuteMs
  return isUsable ? [timeMs] : [thisMs - minuteMs, thisMs]
}

function floorMinute(ms: number): number {
  return Math.floor(ms / minuteMs) * minuteMs
}

function jumpOf(row: Candle): RejectedRow {
  const { timeMs, open, high, low, close } = row
  return { span: minuteOf(row), issue: 'jump', answer: [timeMs, open, high, low, close].join(' ') }
}

function minuteOf({ timeMs }: Candle): TimeSpan {
  return { fromMs: timeMs, toMs: timeMs + minuteMs }
}
