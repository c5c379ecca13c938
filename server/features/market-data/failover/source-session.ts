// A session with one candidate source: subscribes, fills gaps, and reports its state. It is selected elsewhere.
import { minuteMs, secondMs } from '#shared/base/durations.ts'
import { addSpan, type TimeSpan } from '#shared/base/time-span.ts'
import type { CandleIssue } from '#shared/candles/candle-issue.ts'
import { sourceText } from '#shared/market-data/text/en.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { countedLog, type CountedLog } from '../counted-log.ts'
import type { FeedClock, FeedState } from '../feed.ts'
import { GapFiller, suspectMinutes, type GapFillerOptions } from './gap-filler.ts'
import { isTrading, Liveness } from './liveness.ts'
import { SourceMinutes, type FollowedMinute } from './source-minutes.ts'
import { TickValidator, type StreamMinute } from './tick-validator.ts'

/** Time for a source to become live before the next one is tried. */
const liveWithinMs = 8 * secondMs
/** Failed attempts after which a source that was never live is given up sooner. */
const hopelessDowns = 2
/** A shorter cut is neither reported nor a reason to switch sources. */
const cutToleratedMs = 5 * secondMs
/** When prices of a cut connection are stale: with checks twice a second, the chart shows it within five. */
const staleWhenCutMs = 3.5 * secondMs
/** Silence long enough to mean a broken source, much longer than for stale prices, because markets can be quiet. */
const silenceToleratedMs = (staleAfterMs: number): number => Math.max(minuteMs, 12 * staleAfterMs)

type FillerOptions = Pick<GapFillerOptions, 'candidate' | 'clock' | 'log' | 'backfillMinutes' | 'storedUntilMs' | 'onResponse' | 'onSlow'>

export interface SourceSessionOptions extends FillerOptions {
  readonly sessionClass: SessionClass
  /** Live, without gaps. */
  onReady(): void
  onFailed(reason: string, isHopeless: boolean): void
  /** Only while it is selected. */
  onMinutes(minutes: readonly FollowedMinute[], covered: readonly TimeSpan[]): void
  /** A live message that cannot be used. */
  onRejected(issue: CandleIssue): void
  /** Only while it is selected: minutes before this instant are missing, or no longer are. */
  onGap(untilMs: number | undefined): void
}

export class SourceSession {
  readonly #options: SourceSessionOptions
  readonly #minutes = new SourceMinutes()
  readonly #counted: CountedLog
  readonly #validator = new TickValidator(
    (issue, timeMs) => this.#reject(timeMs, issue),
    (timeMs) => this.#suspect(timeMs),
  )
  readonly #filler: GapFiller
  readonly #steadyNow: () => number
  #isOver = false
  /** Not emitted yet. */
  #covered: readonly TimeSpan[] = []
  #gapMs: number | undefined
  #isUsed = false
  /** Prices are buffered until the minutes before them are filled. */
  #isBuffering = true
  #isLive = false
  #hasReceived = false
  /** Proved alive since it became live. */
  #isProved = false
  #downReason: string = sourceText.cut
  #downs = 0
  #wasLive = false
  readonly #liveness: Liveness
  #cutSinceMs: number | undefined
  #cancelDeadline: () => void = () => undefined
  #unwatch: () => void = () => undefined

  constructor(options: SourceSessionOptions) {
    this.#options = options
    this.#counted = countedLog({ clock: options.clock, log: options.log })
    const { clock, sessionClass, candidate } = options
    this.#liveness = new Liveness({ clock, sessionClass, live: candidate.feed.live, staleAfterMs: candidate.staleAfterMs })
    this.#filler = new GapFiller({
      ...options,
      provenMs: () => this.#liveness.provenMs,
      minutes: this.#minutes,
      onFilled: () => this.proceed(),
      onSlow: () => {
        if (this.#isUsed) this.proceed()
        else options.onSlow()
      },
      onChange: () => this.#notify(),
      isSeen: (row) => this.#validator.agrees(row),
      onHistory: (newest) => this.#receive(this.#validator.compare(newest), undefined),
      onCovered: (span) => (this.#covered = addSpan(this.#covered, span)),
    })
    this.#steadyNow = steadyTime(options.clock)
  }

  /** Separate from the constructor, because a feed may emit synchronously. */
  start(): void {
    this.#cancelDeadline = this.#options.clock.after(liveWithinMs, () =>
      this.#fail(this.#downReason === sourceText.cut ? sourceText.notLive(liveWithinMs / 1000) : this.#downReason),
    )
    const { feed, symbol } = this.#options.candidate
    const stopWatching = feed.watch(symbol, {
      minute: (candle, isClosed, eventMs) => {
        if (!this.#isOver) this.#receive(this.#validator.minute(candle, isClosed, this.#steadyNow()), eventMs)
      },
      trade: (trade) => {
        if (!this.#isOver && feed.live !== 'minutes') this.#receive(this.#validator.trade(trade, this.#steadyNow()), trade.timeMs)
      },
      alive: () => {
        if (this.#isOver || !this.#isLive) return
        this.#isProved = true
        if (!this.#isBuffering) this.#liveness.prove()
      },
      suspect: (timeMs, issue) => this.#reject(timeMs, issue),
      state: (state) => this.#change(state),
    })
    if (this.#isOver) stopWatching()
    else this.#unwatch = stopWatching
  }

  stop(): void {
    this.#isOver = true
    this.#cancelDeadline()
    this.#filler.stop()
    this.#counted.stop()
    this.#unwatch()
  }

  /** Emits its minutes from now on, starting with all that it has. */
  use(): void {
    this.#isUsed = true
    this.#notify()
  }

  /** Gaps are filled, or no longer waited for. */
  proceed(): void {
    if (this.#isOver) return
    this.#receive(this.#validator.trustFirst(), undefined)
    this.#isBuffering = false
    this.#liveness.prove()
    this.#notify()
    if (!this.#isUsed && this.#isLive) this.#options.onReady()
  }

  /** Whether it is live and has emitted data since, or has an excuse: proved alive, or the market is closed. */
  isProven(): boolean {
    return (
      this.#isLive &&
      !this.#isBuffering &&
      (this.#hasReceived || this.#isProved || !isTrading(this.#options.sessionClass, this.#options.clock.now()))
    )
  }

  /** Call twice a second. */
  tick(): void {
    const nowMs = this.#options.clock.now()
    if (!isTrading(this.#options.sessionClass, nowMs)) this.#liveness.prove()
    if (!this.#isLive || this.#isBuffering) return
    this.#minutes.closeBefore(nowMs)
    this.#notify()
  }

  isStale(): boolean {
    const { staleAfterMs } = this.#options.candidate
    const limitMs = this.#cutSinceMs === undefined ? staleAfterMs : Math.min(staleAfterMs, staleWhenCutMs)
    return this.#liveness.quietMs >= limitMs
  }

  /** What is wrong, as user-facing text; null if nothing is. */
  trouble(): string | null {
    if (this.#cutSinceMs !== undefined)
      return this.#options.clock.monotonic() - this.#cutSinceMs >= cutToleratedMs ? this.#downReason : null
    return this.#liveness.quietMs >= silenceToleratedMs(this.#options.candidate.staleAfterMs) ? sourceText.silent : null
  }

  #notify(): void {
    if (!this.#isUsed || this.#isBuffering || this.#isOver) return
    const liveSpan = this.#filler.coveredLive()
    if (liveSpan !== undefined) this.#covered = addSpan(this.#covered, liveSpan)
    const minutes = this.#minutes.drain()
    const covered = this.#covered
    this.#covered = []
    if (minutes.length > 0 || covered.length > 0) this.#options.onMinutes(minutes, covered)
    this.#notifyGap()
  }

  #notifyGap(): void {
    if (this.#filler.isFilling() === (this.#gapMs !== undefined)) return
    this.#gapMs = this.#filler.isFilling() ? Math.floor(this.#options.clock.now() / minuteMs) * minuteMs : undefined
    this.#options.onGap(this.#gapMs)
  }

  #fail(reason: string, isHopeless = false): void {
    if (!this.#isOver) this.#options.onFailed(reason, isHopeless)
  }

  #receive(updates: readonly StreamMinute[], eventMs: number | undefined): void {
    const nowMs = this.#options.clock.now()
    let isAlive = false
    for (const { candle, isFinal } of updates) {
      // A source whose clock is ahead of ours starts in a minute that has not begun here.
      if (!this.#hasReceived && candle.timeMs > nowMs) this.#minutes.suspect(candle.timeMs, candle.timeMs)
      this.#hasReceived = true
      // Generated prices stand still while they wait for a clock that was set back.
      const isNew = this.#minutes.receive(candle, isFinal, nowMs) || this.#options.candidate.feed.now !== undefined
      if (!this.#liveness.isProof({ timeMs: candle.timeMs, eventMs, isNew }) || this.#isBuffering) continue
      isAlive = true
      for (const minute of this.#liveness.missedBefore(candle.timeMs)) this.#filler.suspect(minute)
    }
    if (updates.length === 0) return
    if (isAlive) this.#liveness.prove()
    this.#notify()
  }

  #reject(timeMs: number, issue: CandleIssue = 'not-a-number'): void {
    if (this.#isOver) return
    this.#counted.log('price refused', { issue })
    this.#options.onRejected(issue)
    this.#suspect(timeMs)
  }

  #suspect(timeMs: number): void {
    if (this.#isOver || !this.#isLive) return
    for (const minute of suspectMinutes(timeMs, this.#options.clock.now())) this.#filler.suspect(minute)
  }

  #change(state: FeedState): void {
    if (this.#isOver) return
    if (state.kind === 'refused') return this.#fail(state.reason, true)
    if (state.kind === 'live') {
      this.#cancelDeadline()
      this.#isLive = true
      this.#wasLive = true
      this.#hasReceived = false
      this.#isProved = false
      this.#cutSinceMs = undefined
      this.#isBuffering = true
      this.#filler.begin()
      return
    }
    if (state.kind === 'down') {
      this.#downReason = plainReason(state.reason)
      this.#downs = Math.max(this.#downs + 1, state.failures ?? 0)
      // An unreachable host must not keep the chart empty.
      if (!this.#wasLive && this.#downs >= hopelessDowns) return this.#fail(this.#downReason)
    }
    if (this.#isLive) {
      this.#isLive = false
      this.#cutSinceMs = this.#options.clock.monotonic()
      this.#downReason = state.kind === 'down' ? plainReason(state.reason) : sourceText.cut
    }
  }
}

/** Epoch milliseconds that follow the wall clock forward but never back, so that current data never appears to be from the future. */
function steadyTime(clock: FeedClock): () => number {
  let originMs = clock.now() - clock.monotonic()
  return () => {
    originMs = Math.max(originMs, clock.now() - clock.monotonic())
    return originMs + clock.monotonic()
  }
}

/** An unreachable host, without the network error text. */
function plainReason(reason: string): string {
  return /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/.test(reason) ? sourceText.unreachable : reason
}
