// Follows one series: selects the best working source, and emits its minutes without gaps, duplicates or wrong values.
import { liveServerText } from '#shared/text/en/live.ts'
import { sourceText } from '#shared/text/en/sources.ts'
import { repeat } from '../feed-clock.ts'
import { backOff, type BackOff } from './back-off.ts'
import { SourceSession } from './source-session.ts'
import { provenAfterMs } from './timeouts.ts'
import type { Candidate, FollowOptions, FollowSink } from './types.ts'

/** Pushed data counts as stale after four seconds, and users have to know within five. */
const tickMs = 500

/** A candidate and its state: idle, trying, ready, or waiting for its next attempt. */
interface Entry {
  readonly candidate: Candidate
  readonly index: number
  readonly pause: BackOff
  run: SourceSession | undefined
  isReady: boolean
  cancelRetry: (() => void) | undefined
  /** Why its last attempt failed. */
  blame: string | null
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
  #used: Entry | undefined
  #usedSinceMs = 0
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
      pause: backOff(options.clock),
      run: undefined,
      isReady: false,
      cancelRetry: undefined,
      blame: null,
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
    const run = new SourceSession({
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
        if (this.#isLastHope(entry)) run.proceed()
        else this.#fail(entry, sourceText.noHistory)
      },
      onFailed: (reason, isHopeless) => this.#fail(entry, reason, isHopeless),
      onMinutes: (minutes, covered) => this.#sink.minutes(minutes, covered),
      onAnswer: (asked, rejected) => this.#options.onAnswer?.(source, asked, rejected),
      onRejected: (issue) => this.#options.onRejected?.(source, issue),
      onGap: (untilMs) => this.#sink.gap?.(untilMs),
    })
    entry.run = run
    entry.isReady = false
    run.start()
  }

  /** No real source is selected, and every other one has just failed or is the demo. */
  #isLastHope(entry: Entry): boolean {
    if (this.#used !== undefined && !isDemo(this.#used)) return false
    return this.#entries.every((other) => other === entry || other.cancelRetry !== undefined || isDemo(other))
  }

  #end(entry: Entry): void {
    entry.run?.stop()
    entry.run = undefined
    entry.isReady = false
    entry.cancelRetry?.()
    entry.cancelRetry = undefined
  }

  #fail(entry: Entry, reason: string, isHopeless = false): void {
    this.#end(entry)
    entry.blame = reason
    const waitMs = entry.pause.next(isHopeless)
    entry.cancelRetry = this.#options.clock.after(waitMs, () => this.#start(entry))
    this.#options.log('source failed', {
      series: this.#options.series,
      source: entry.candidate.feed.source,
      reason,
      retryInMs: Math.round(waitMs),
    })
    if (entry === this.#used) this.#used = undefined
    if (this.#used === undefined) this.#startNext()
    this.#notifySource()
  }

  /** Tries the first untried one, unless one is being tried; the demo only if nothing else is used. */
  #startNext(): void {
    if (this.#entries.some((entry) => entry !== this.#used && entry.run !== undefined && !entry.isReady)) return
    const next = this.#entries.find(
      (entry) => entry.run === undefined && entry.cancelRetry === undefined && !(isDemo(entry) && this.#used !== undefined),
    )
    if (next !== undefined) this.#start(next)
  }

  #consider(entry: Entry): void {
    if (this.#isOver || entry === this.#used || entry.run === undefined || !entry.isReady) return
    if (this.#used !== undefined) {
      const isWanted = entry.index < this.#used.index || (this.#used.run?.trouble() !== null && !isDemo(entry))
      if (!isWanted || !entry.run.isProven()) return
    }
    this.#adopt(entry, entry.run)
  }

  #adopt(entry: Entry, run: SourceSession): void {
    const before = this.#used
    this.#used = entry
    this.#usedSinceMs = this.#options.clock.monotonic()
    if (before !== undefined && before.index < entry.index) this.#fail(before, before.run?.trouble() ?? sourceText.cut)
    for (const lesser of this.#entries.slice(entry.index + 1)) this.#end(lesser)
    entry.blame = null
    this.#isStale = false
    this.#notifySource()
    run.use()
  }

  #notifySource(): void {
    if (this.#isOver) return
    const reason = this.#reasonNow()
    // Nothing to report while the first one is being tried.
    if (this.#notified === undefined && this.#used === undefined && reason === null) return
    if (this.#notified !== undefined && this.#notified.index === this.#used?.index && this.#notified.reason === reason) return
    this.#notified = { index: this.#used?.index, reason }
    this.#sink.source(this.#used === undefined ? null : { index: this.#used.index, source: this.#used.candidate.feed.source }, reason)
  }

  #reasonNow(): string | null {
    const blames = this.#entries
      .slice(0, this.#used?.index)
      .flatMap(({ candidate, blame }) => (blame === null ? [] : [blameOf(candidate, blame)]))
    const trouble = this.#used?.run?.trouble() ?? null
    if (this.#used !== undefined && trouble !== null) blames.push(blameOf(this.#used.candidate, trouble))
    return blames.length === 0 ? null : sourceText.together(blames)
  }

  #tick(): void {
    for (const entry of this.#entries) entry.run?.tick()
    for (const entry of this.#entries) this.#consider(entry)
    if (this.#used?.run !== undefined) {
      if (this.#used.run.trouble() !== null) this.#startNext()
      else for (const lesser of this.#entries.slice(this.#used.index + 1)) this.#end(lesser)
      if (this.#used.run.trouble() === null && this.#options.clock.monotonic() - this.#usedSinceMs >= provenAfterMs)
        this.#used.pause.reset()
    }
    this.#notifySource()
    this.#notifyStale()
  }

  #notifyStale(): void {
    const now = this.#used?.run?.isStale() ?? false
    if (this.#isOver || now === this.#isStale) return
    this.#isStale = now
    this.#sink.stale(now)
  }
}

function isDemo({ candidate }: Entry): boolean {
  return candidate.feed.source === 'demo'
}

function blameOf({ label, feed }: Candidate, reason: string): string {
  return sourceText.blame(label?.source ?? feed.source, reason)
}
