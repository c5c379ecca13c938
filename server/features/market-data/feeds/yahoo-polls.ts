// Polls Yahoo for the last minutes of each watched symbol, and emits changes.
import { backOffDelayMs } from '#shared/base/back-off-delay.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { findCandleIssue } from '#shared/candles/candle-issue.ts'
import { FeedError, stepMs, type FeedClock, type FeedSink, type FeedState } from '../feed.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import { MinuteBuffer } from '../minute-buffer.ts'

/** The last minutes of a symbol, and the source's time up to which they are complete. */
export interface YahooMinutes {
  readonly candles: readonly Candle[]
  readonly completeUntilMs: number
}

export interface YahooPollOptions {
  readonly clock: FeedClock
  /** @throws FeedError */
  readonly load: (symbol: string, span: TimeSpan, signal: AbortSignal) => Promise<YahooMinutes>
}

const pollMs = 15_000
/** Minutes before the newest one that are read again, because Yahoo corrects them. */
const readAgainMinutes = 5
const firstLookMs = 10 * stepMs['1m']
const firstWaitMs = 30_000
const lastWaitMs = 15 * 60_000

interface Poll {
  readonly sinks: Set<FeedSink>
  readonly abort: AbortController
  /** Emitted minutes, to emit each state once. */
  readonly reported: MinuteBuffer<{ readonly candle: Candle; readonly isClosed: boolean }>
  state: FeedState
  failures: number
  stop: () => void
}

const isSame = (one: Candle, other: Candle): boolean =>
  one.open === other.open && one.high === other.high && one.low === other.low && one.close === other.close && one.volume === other.volume

/** Starts and stops the polls; a symbol is polled once for all its listeners. */
export class YahooPolls {
  readonly #options: YahooPollOptions
  readonly #polls = new Map<string, Poll>()

  constructor(options: YahooPollOptions) {
    this.#options = options
  }

  /** Subscribes until the returned function is called; the first poll is after this call. */
  watch(symbol: string, sink: FeedSink): () => void {
    const poll = this.#polls.get(symbol) ?? this.#begin(symbol)
    poll.sinks.add(sink)
    sink.state(poll.state)
    return () => {
      if (poll.sinks.delete(sink) && poll.sinks.size === 0) this.#end(symbol, poll)
    }
  }

  close(): void {
    for (const [symbol, poll] of this.#polls) this.#end(symbol, poll)
  }

  #notify(poll: Poll, state: FeedState): void {
    poll.state = state
    for (const sink of poll.sinks) sink.state(state)
  }

  #report(poll: Poll, { candles, completeUntilMs }: YahooMinutes): void {
    for (const candle of candles) {
      const issue = findCandleIssue(candle, this.#options.clock.now())
      if (issue !== null) {
        for (const sink of poll.sinks) sink.doubt?.(candle.timeMs, issue)
        continue
      }
      const isClosed = candle.timeMs + stepMs['1m'] <= completeUntilMs
      const before = poll.reported.get(candle.timeMs)
      // A closed minute does not reopen if the source's time goes back.
      const isNews = before === undefined || !isSame(before.candle, candle) || (isClosed && !before.isClosed)
      if (!isNews) continue
      poll.reported.put(candle.timeMs, { candle, isClosed: isClosed || before?.isClosed === true })
      for (const sink of poll.sinks) sink.minute(candle, isClosed || before?.isClosed === true)
    }
    poll.reported.trim()
  }

  /** Delay after an error: the source's retry time, and exponential back-off. */
  #waitAfter(poll: Poll, error: FeedError): number {
    const waitMs = backOffDelayMs(poll.failures, { firstMs: firstWaitMs, maxMs: lastWaitMs }, this.#options.clock.random())
    poll.failures += 1
    return Math.max(error.retryAfterMs ?? 0, waitMs)
  }

  async #look(symbol: string, poll: Poll): Promise<void> {
    const { signal } = poll.abort
    const { newestMs } = poll.reported
    const fromMs = Number.isFinite(newestMs) ? newestMs - readAgainMinutes * stepMs['1m'] : this.#options.clock.now() - firstLookMs
    let waitMs = pollMs
    try {
      const minutes = await this.#options.load(symbol, { fromMs, toMs: this.#options.clock.now() + stepMs['1m'] }, signal)
      if (signal.aborted) return
      poll.failures = 0
      if (poll.state.kind !== 'live') this.#notify(poll, { kind: 'live' })
      this.#report(poll, minutes)
    } catch (error) {
      if (signal.aborted) return
      const failure =
        error instanceof FeedError ? error : new FeedError('malformed', 'Yahoo Finance answered something odd', { cause: error })
      waitMs = this.#waitAfter(poll, failure)
      const isFinal = failure.kind === 'refused' && failure.retryAfterMs === undefined
      this.#notify(
        poll,
        isFinal ? { kind: 'refused', reason: failure.message } : { kind: 'down', reason: failure.message, retryInMs: waitMs },
      )
      if (isFinal) waitMs = lastWaitMs
    }
    poll.stop = this.#options.clock.after(waitMs, () => this.#look(symbol, poll))
  }

  #begin(symbol: string): Poll {
    const poll: Poll = {
      sinks: new Set(),
      abort: new AbortController(),
      reported: new MinuteBuffer(2 * readAgainMinutes),
      state: { kind: 'connecting' },
      failures: 0,
      stop: this.#options.clock.after(0, () => this.#look(symbol, poll)),
    }
    this.#polls.set(symbol, poll)
    return poll
  }

  #end(symbol: string, poll: Poll): void {
    this.#polls.delete(symbol)
    poll.stop()
    poll.abort.abort()
  }
}
