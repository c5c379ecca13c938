// Follows one series: selects the best working source, and emits its minutes without gaps, duplicates or wrong values.
import { minuteMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import type { CandleIssue } from '#shared/candles/candle-issue.ts'
import { liveServerText, sourceText } from '#shared/market-data/text/en.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { FeedClock, FeedLog, RejectedRow, SourceName } from '../feed.ts'
import { repeat } from '../real-clock.ts'
import { BackOff } from './back-off.ts'
import { SourceSession } from './source-session.ts'
import type { SourceCandidate } from './gap-filler.ts'
import type { FollowedMinute } from './source-minutes.ts'

/** Time without trouble after which a source's back-off is reset. */
const provenAfterMs = minuteMs

/** Pushed data counts as stale after four seconds, and users have to know within five. */
const tickMs = 500

export interface FollowOptions {
  /** Series key, for the log. */
  readonly series: string
  readonly sessionClass: SessionClass
  /** Best first. */
  readonly candidates: readonly SourceCandidate[]
  readonly clock: FeedClock
  readonly log: FeedLog
  /** Minutes of history to request if nothing is stored; otherwise stored history is continued. */
  readonly backfillMinutes: number
  /** Up to when the minutes of a source are stored without a gap, epoch milliseconds; undefined if there are none. */
  readonly storedUntilMs: (source: SourceName) => Promise<number | undefined>
  /** A response of a source's history, with its rejected rows: minutes that are not covered. */
  readonly onResponse?: (source: SourceName, requested: TimeSpan, rejected: readonly RejectedRow[]) => void
  /** A live message of a source that cannot be used. */
  readonly onRejected?: (source: SourceName, issue: CandleIssue) => void
}

/** The selected candidate: its index in the list, and its name. */
export interface FollowedSource {
  readonly index: number
  readonly source: SourceName
}

export interface FollowSink {
  /**
   * The selected source changed, or there is none; every minute belongs to the last emitted source, and the minutes of a
   * new source start over. Emitted with the same source if only the reason changes. The reason says in plain words why
   * there is no source, a fallback, or why the selected one is cut; null if all is well.
   */
  source(current: FollowedSource | null, reason: string | null): void
  /**
   * Minutes that are new or changed, whole, ascending within one call; and spans that are now complete, including all
   * minutes emitted before.
   */
  minutes(minutes: readonly FollowedMinute[], covered: readonly TimeSpan[]): void
  /** Minutes are emitted although some before this instant (epoch milliseconds) are missing and follow later; undefined when filled. */
  gap?(untilMs: number | undefined): void
  /** Whether the selected source is silent or cut while its market is open. Emitted on changes; a new source starts as false. */
  stale(isStale: boolean): void
}

/** A candidate and its state: idle, trying, ready, or waiting for its next attempt. */
interface Entry {
  readonly candidate: SourceCandidate
  readonly index: number
  readonly backOff: BackOff
  session: SourceSession | undefined
  isReady: boolean
  cancelRetry: (() => void) | undefined
  /** Why its last attempt failed. */
  failure: string | null
}

/**
 * Follows a series until stopped.
 * Candidates are tried in order; a failed one is retried with increasing delays. A better one takes over as soon as it
 * is live, has filled its gap and has emitted data; a worse one when the current one is cut or silent for long. The demo
 * is used only if no other source has worked: it never replaces a real one.
 */
export class SeriesFollower {
  readonly #options: FollowOptions
  readonly #sink: FollowSink
  readonly #entries: readonly Entry[]
  #selected: Entry | undefined
  #selectedSinceMs = 0
  #isOver = false
  #isStale = false
  #notified: { readonly index: number | undefined; readonly reason: string | null } | undefined
  #cancelTick: () => void = () => undefined

  constructor(options: FollowOptions, sink: FollowSink) {
    this.#options = options
    this.#sink = sink
    this.#entries = options.candidates.map((candidate, index): Entry => ({
      candidate,
      index,
      backOff: new BackOff(options.clock),
      session: undefined,
      isReady: false,
      cancelRetry: undefined,
      failure: null,
    }))
    if (this.#entries.length === 0) sink.source(null, liveServerText.noSource)
    this.#startNext()
    this.#cancelTick = repeat(options.clock, tickMs, () => this.#tick())
  }

  stop(): void {
    this.#isOver = true
    this.#cancelTick()
    for (const entry of this.#entries) this.#end(entry)
  }

  #start(entry: Entry): void {
    entry.cancelRetry?.()
    entry.cancelRetry = undefined
    const { candidate } = entry
    const { source, now } = candidate.feed
    const session = new SourceSession({
      candidate,
      sessionClass: candidate.sessionClass ?? this.#options.sessionClass,
      clock: now === undefined ? this.#options.clock : { ...this.#options.clock, now },
      log: (line, details) => this.#options.log(line, { series: this.#options.series, source, ...details }),
      backfillMinutes: this.#options.backfillMinutes,
      storedUntilMs: () => this.#options.storedUntilMs(source),
      onReady: () => {
        entry.isReady = true
        this.#consider(entry)
      },
      onSlow: () => {
        if (this.#isLastHope(entry)) session.proceed()
        else this.#fail(entry, sourceText.noHistory)
      },
      onFailed: (reason, isHopeless) => this.#fail(entry, reason, isHopeless),
      onMinutes: (minutes, covered) => this.#sink.minutes(minutes, covered),
      onResponse: (requested, rejected) => this.#options.onResponse?.(source, requested, rejected),
      onRejected: (issue) => this.#options.onRejected?.(source, issue),
      onGap: (untilMs) => this.#sink.gap?.(untilMs),
    })
    entry.session = session
    entry.isReady = false
    session.start()
  }

  /** No real source is selected, and every other one has just failed or is the demo. */
  #isLastHope(entry: Entry): boolean {
    if (this.#selected !== undefined && !isDemo(this.#selected)) return false
    return this.#entries.every((other) => other === entry || other.cancelRetry !== undefined || isDemo(other))
  }

  #end(entry: Entry): void {
    entry.session?.stop()
    entry.session = undefined
    entry.isReady = false
    entry.cancelRetry?.()
    entry.cancelRetry = undefined
  }

  #fail(entry: Entry, reason: string, isHopeless = false): void {
    this.#end(entry)
    entry.failure = reason
    const waitMs = entry.backOff.next(isHopeless)
    entry.cancelRetry = this.#options.clock.after(waitMs, () => this.#start(entry))
    this.#options.log('source failed', {
      series: this.#options.series,
      source: entry.candidate.feed.source,
      reason,
      retryInMs: Math.round(waitMs),
    })
    if (entry === this.#selected) this.#selected = undefined
    if (this.#selected === undefined) this.#startNext()
    this.#notifySource()
  }

  /** Tries the first untried one, unless one is being tried; the demo only if nothing else is used. */
  #startNext(): void {
    if (this.#entries.some((entry) => entry !== this.#selected && entry.session !== undefined && !entry.isReady)) return
    const next = this.#entries.find(
      (entry) => entry.session === undefined && entry.cancelRetry === undefined && !(isDemo(entry) && this.#selected !== undefined),
    )
    if (next !== undefined) this.#start(next)
  }

  #consider(entry: Entry): void {
    if (this.#isOver || entry === this.#selected || entry.session === undefined || !entry.isReady) return
    if (this.#selected !== undefined) {
      const isBetter = entry.index < this.#selected.index || (this.#selected.session?.trouble() !== null && !isDemo(entry))
      if (!isBetter || !entry.session.isProven()) return
    }
    this.#select(entry, entry.session)
  }

  #select(entry: Entry, session: SourceSession): void {
    const before = this.#selected
    this.#selected = entry
    this.#selectedSinceMs = this.#options.clock.monotonic()
    if (before !== undefined && before.index < entry.index) this.#fail(before, before.session?.trouble() ?? sourceText.cut)
    for (const lesser of this.#entries.slice(entry.index + 1)) this.#end(lesser)
    entry.failure = null
    this.#isStale = false
    this.#notifySource()
    session.use()
  }

  #notifySource(): void {
    if (this.#isOver) return
    const reason = this.#reasonNow()
    // Nothing to report while the first one is being tried.
    if (this.#notified === undefined && this.#selected === undefined && reason === null) return
    if (this.#notified !== undefined && this.#notified.index === this.#selected?.index && this.#notified.reason === reason) return
    this.#notified = { index: this.#selected?.index, reason }
    this.#sink.source(
      this.#selected === undefined ? null : { index: this.#selected.index, source: this.#selected.candidate.feed.source },
      reason,
    )
  }

  #reasonNow(): string | null {
    const reasons = this.#entries
      .slice(0, this.#selected?.index)
      .flatMap(({ candidate, failure }) => (failure === null ? [] : [reasonOf(candidate, failure)]))
    const trouble = this.#selected?.session?.trouble() ?? null
    if (this.#selected !== undefined && trouble !== null) reasons.push(reasonOf(this.#selected.candidate, trouble))
    return reasons.length === 0 ? null : sourceText.together(reasons)
  }

  #tick(): void {
    for (const entry of this.#entries) entry.session?.tick()
    for (const entry of this.#entries) this.#consider(entry)
    if (this.#selected?.session !== undefined) {
      if (this.#selected.session.trouble() !== null) this.#startNext()
      else for (const lesser of this.#entries.slice(this.#selected.index + 1)) this.#end(lesser)
      if (this.#selected.session.trouble() === null && this.#options.clock.monotonic() - this.#selectedSinceMs >= provenAfterMs)
        this.#selected.backOff.reset()
    }
    this.#notifySource()
    this.#notifyStale()
  }

  #notifyStale(): void {
    const now = this.#selected?.session?.isStale() ?? false
    if (this.#isOver || now === this.#isStale) return
    this.#isStale = now
    this.#sink.stale(now)
  }
}

function isDemo({ candidate }: Entry): boolean {
  return candidate.feed.source === 'demo'
}

function reasonOf({ label, feed }: SourceCandidate, reason: string): string {
  return sourceText.blame(label?.source ?? feed.source, reason)
}
