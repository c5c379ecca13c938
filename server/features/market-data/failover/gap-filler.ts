// Backfills from history after each reconnect, and requests minutes that were not final once more.
import { minuteMs } from '#shared/base/durations.ts'
import { subtractSpans, type TimeSpan } from '#shared/base/time-span.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { FeedError, feedErrorText, type FeedClock, type FeedLog, type RejectedRow } from '../feed.ts'
import { wait } from '../feed-clock.ts'
import { backOff } from './back-off.ts'
import type { FillStart } from './fill-start.ts'
import { fetchMinutes } from './fetch-minutes.ts'
import { MinuteDoubts } from './minute-doubts.ts'
import { doubtMaxMs, fillWithinMs, overlapMs, secondLookMs, settleMs } from './timeouts.ts'
import type { Candidate } from './types.ts'
import type { StatedMinutes } from './stated-minutes.ts'

/** Maximum history requests for a missing minute, and retries after errors. */
const looksMax = 4
const errorsMax = 10

export interface GapOptions {
  readonly candidate: Candidate
  readonly clock: FeedClock
  readonly ledger: StatedMinutes
  /** Where history starts that is not stored yet. */
  readonly startMs: () => Promise<FillStart>
  readonly log: FeedLog
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
  onAnswer(asked: TimeSpan, rejected: readonly RejectedRow[]): void
}

interface Answer {
  readonly minutes: readonly Candle[]
  readonly rejected: readonly RejectedRow[]
  readonly open: readonly TimeSpan[]
  readonly span: TimeSpan
  readonly askedMs: number
}

interface Loading {
  readonly signal: AbortSignal
  readonly errorsAllowed: number
  /** Everything up to this instant has arrived. */
  readonly came: (untilMs: number) => void
  /** The span covered by the received minutes; undefined for a second request. */
  readonly covers: ((answer: Answer) => void) | undefined
}

/** Fills the minute buffer of one candidate. */
export class GapFiller {
  readonly #options: GapOptions
  #life = new AbortController()
  /** Start of what is still missing; undefined if nothing is. */
  #missingMs: number | undefined
  #isFilling = false
  #isLooking = false
  readonly #doubts = new MinuteDoubts()
  /** Up to here nothing was missing at some point. */
  #sureMs: number | undefined
  /** Minutes before the first received one are not known to be missing or quiet. */
  #hasOlder = true
  /** The stream is complete from here on; undefined while history has to confirm it. */
  #liveFromMs: number | undefined
  /** End of the minutes from a source without a stream: later ones may be delayed, and count as quiet only when more arrive. */
  #unsureMs: number | undefined
  readonly #isStream: boolean

  constructor(options: GapOptions) {
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
  doubt(timeMs: number): void {
    if (!this.#doubts.add(timeMs)) return
    const covered = this.coveredLive()
    if (covered !== undefined) this.#options.onCovered(covered)
    if (covered !== undefined && !this.#isStream) this.#unsureMs = covered.toMs
    this.#options.ledger.doubt(timeMs, timeMs)
    if (this.#isFilling || this.#isLooking) return
    this.#liveFromMs = undefined
    this.#lookAgain(timeMs, this.#life.signal).catch((error: unknown) =>
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
    const newestMs = this.#options.ledger.newestMs()
    const toldMs = this.#isStream ? floorMinute(this.#options.provenMs()) : newestMs === undefined ? -Infinity : newestMs + minuteMs
    const untilMs = Math.min(toldMs, this.#options.ledger.closedUntil(this.#options.clock.now()))
    if (untilMs <= this.#liveFromMs) return undefined
    const span = { fromMs: this.#liveFromMs, toMs: untilMs }
    this.#liveFromMs = untilMs
    return span
  }

  /** Where to start after a cut; undefined for the first connection. */
  #missingSince(): number | undefined {
    if (this.#missingMs !== undefined || this.#sureMs === undefined) return this.#missingMs
    return Math.min(Math.max(this.#sureMs, this.#options.ledger.newestMs() ?? this.#sureMs) - overlapMs, ...this.#options.ledger.doubtful())
  }

  async #fill(signal: AbortSignal): Promise<void> {
    this.#liveFromMs = undefined
    this.#isFilling = true
    this.#isLooking = false
    const liveMs = floorMinute(this.#options.clock.now())
    const known = this.#missingSince()
    this.#options.ledger.doubt(Math.min(known ?? liveMs, liveMs), liveMs)
    const cancelSlow = this.#options.clock.after(fillWithinMs, () => this.#options.onSlow())
    signal.addEventListener('abort', cancelSlow)
    this.#missingMs = known
    if (this.#missingMs === undefined) ({ fromMs: this.#missingMs, hasOlder: this.#hasOlder } = await this.#options.startMs())
    this.#options.ledger.doubt(Math.min(this.#missingMs, liveMs), liveMs)
    await this.#load(this.#missingMs, liveMs, {
      signal,
      errorsAllowed: Number.POSITIVE_INFINITY,
      came: (endMs) => (this.#missingMs = endMs),
      covers: (answer) => this.#cover(answer),
    })
    if (signal.aborted) return
    cancelSlow()
    this.#missingMs = undefined
    this.#isFilling = false
    this.#sureMs = liveMs
    this.#options.onFilled()
    await this.#lookAgain(liveMs, signal)
  }

  /** Requests [fromMs, toMs) until all of it has arrived; false if it gave up. */
  async #load(fromMs: number, toMs: number, { signal, errorsAllowed, came, covers }: Loading): Promise<boolean> {
    if (!this.#options.candidate.feed.steps.includes('1m')) return true
    const pause = backOff(this.#options.clock)
    let nextMs = fromMs
    let errors = 0
    while (nextMs < toMs && !signal.aborted) {
      const askedMs = this.#options.clock.now()
      try {
        // What a source without a stream emits is its history, and no other evidence.
        const isSeen = this.#isStream ? (row: Candle) => this.#options.isSeen(row) : undefined
        const span = { fromMs: nextMs, toMs, lastClose: this.#options.ledger.closeAt(nextMs), isSeen, signal }
        const { minutes, endMs, rejected, open } = await fetchMinutes(this.#options.candidate, span, this.#options.clock)
        if (signal.aborted) return false
        const asked = { fromMs: nextMs, toMs: Math.min(endMs, toMs) }
        this.#options.onAnswer(asked, rejected)
        this.#options.ledger.recall(minutes, askedMs)
        const newest = minutes.at(-1)
        if (newest !== undefined) this.#options.onHistory(newest)
        for (const { fromMs } of open.filter((one) => one.fromMs >= askedMs - doubtMaxMs)) this.#doubts.add(fromMs)
        covers?.({ minutes, rejected, open, span: asked, askedMs })
        nextMs = endMs
        came(endMs)
        pause.reset()
      } catch (error) {
        if (signal.aborted) return false
        errors += 1
        this.#options.log('history does not come', { reason: feedErrorText(error) })
        if (errors >= errorsAllowed) return false
        await wait(this.#options.clock, Math.max(pause.next(), error instanceof FeedError ? (error.retryAfterMs ?? 0) : 0), signal)
      }
    }
    return !signal.aborted
  }

  /** The span that a response covers: not beyond the source's history depth, nor before its first candle. */
  #cover({ minutes, rejected, open, span: { fromMs, toMs }, askedMs }: Answer): void {
    const [first, last] = [minutes[0], minutes.at(-1)]
    const firstMs = this.#hasOlder ? fromMs : first?.timeMs
    if (firstMs === undefined) return
    this.#hasOlder = true
    const reachedMs = askedMs - (this.#options.candidate.feed.reachMs?.['1m'] ?? Infinity)
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
  async #lookAgain(liveMs: number, signal: AbortSignal): Promise<void> {
    this.#isLooking = true
    const doubted = (): readonly number[] => [...this.#options.ledger.doubtful(), ...this.#doubts.list()]
    let confirmedMs: number | undefined
    for (let look = 1; look <= looksMax; look += 1) {
      const firstMs = Math.min(liveMs, ...this.#doubts.list())
      const endMs = Math.max(liveMs, ...doubted()) + minuteMs
      await wait(this.#options.clock, Math.max(endMs + settleMs - this.#options.clock.now(), look === 1 ? 0 : 2 * look * settleMs), signal)
      const isDone = await this.#load(firstMs - secondLookMs, endMs, {
        signal,
        errorsAllowed: errorsMax,
        came: () => undefined,
        covers: this.#isStream || this.#doubts.list().length > 0 ? (answer) => this.#cover(answer) : undefined,
      })
      if (signal.aborted) return
      if (isDone) this.#doubts.end((confirmedMs = endMs))
      this.#options.onChange()
      if (!isDone || doubted().length === 0) break
    }
    this.#isLooking = false
    this.#options.ledger.trust()
    // Without history the partial minute may stay wrong. A minute still in doubt is a hole, which is requested later.
    const sureMs = this.#isStream ? (confirmedMs ?? liveMs + minuteMs) : (this.#unsureMs ?? liveMs)
    this.#liveFromMs = Math.max(sureMs, ...this.#doubts.list().map((timeMs) => timeMs + minuteMs))
    this.#doubts.end(Infinity)
    this.#options.onChange()
  }
}

function floorMinute(ms: number): number {
  return Math.floor(ms / minuteMs) * minuteMs
}
