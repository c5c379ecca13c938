// Asks Yahoo again and again for the last minutes of each watched symbol, and says what is new in them.
import { backOffDelayMs } from '#shared/base/back-off.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import { FeedError, stepMs, type FeedClock, type FeedSink, type FeedState } from '../feed.ts'
import type { TimeSpan } from '#shared/base/time-spans.ts'

/** The last minutes of a symbol, and the source's time up to which they are complete. */
export interface YahooMinutes {
  readonly candles: readonly Candle[]
  readonly completeUntilMs: number
}

export interface YahooPollNeeds {
  readonly clock: FeedClock
  /** @throws FeedError */
  readonly load: (symbol: string, span: TimeSpan, signal: AbortSignal) => Promise<YahooMinutes>
}

const pollMs = 15_000
/** Minutes before the newest one that are read again, because Yahoo corrects what it said. */
const readAgainMs = 5 * stepMs['1m']
const firstLookMs = 10 * stepMs['1m']
const firstWaitMs = 30_000
const lastWaitMs = 15 * 60_000

interface Poll {
  readonly sinks: Set<FeedSink>
  readonly abort: AbortController
  /** What was said of each minute, to say it once. */
  readonly said: Map<number, { readonly candle: Candle; readonly isClosed: boolean }>
  state: FeedState
  failures: number
  stop: () => void
}

const isSame = (one: Candle, other: Candle): boolean =>
  one.open === other.open && one.high === other.high && one.low === other.low && one.close === other.close && one.volume === other.volume

/** Begins and ends the polls; a symbol is asked for once, however many listen. */
export function yahooPolls({ clock, load }: YahooPollNeeds) {
  const polls = new Map<string, Poll>()

  function tell(poll: Poll, state: FeedState): void {
    poll.state = state
    for (const sink of poll.sinks) sink.state(state)
  }

  function say(poll: Poll, { candles, completeUntilMs }: YahooMinutes): void {
    for (const candle of candles) {
      const isClosed = candle.timeMs + stepMs['1m'] <= completeUntilMs
      const before = poll.said.get(candle.timeMs)
      // A minute that was over does not open again because the source's time fell back.
      const isNews = before === undefined || !isSame(before.candle, candle) || (isClosed && !before.isClosed)
      if (!isNews) continue
      poll.said.set(candle.timeMs, { candle, isClosed: isClosed || before?.isClosed === true })
      for (const sink of poll.sinks) sink.minute(candle, isClosed || before?.isClosed === true)
    }
    const oldestMs = Math.max(...poll.said.keys()) - 2 * readAgainMs
    for (const stampMs of poll.said.keys()) if (stampMs < oldestMs) poll.said.delete(stampMs)
  }

  /** How long to wait after a failure: what the source wants, and twice as long each time. */
  function waitAfter(poll: Poll, error: FeedError): number {
    const waitMs = backOffDelayMs(poll.failures, { firstMs: firstWaitMs, maxMs: lastWaitMs }, clock.random())
    poll.failures += 1
    return Math.max(error.retryAfterMs ?? 0, waitMs)
  }

  async function look(symbol: string, poll: Poll): Promise<void> {
    const { signal } = poll.abort
    const newestMs = Math.max(...poll.said.keys())
    const fromMs = Number.isFinite(newestMs) ? newestMs - readAgainMs : clock.now() - firstLookMs
    let waitMs = pollMs
    try {
      const minutes = await load(symbol, { fromMs, toMs: clock.now() + stepMs['1m'] }, signal)
      if (signal.aborted) return
      poll.failures = 0
      if (poll.state.kind !== 'live') tell(poll, { kind: 'live' })
      say(poll, minutes)
    } catch (error) {
      if (signal.aborted) return
      const failure =
        error instanceof FeedError ? error : new FeedError('malformed', 'Yahoo Finance answered something odd', { cause: error })
      waitMs = waitAfter(poll, failure)
      const isFinal = failure.kind === 'refused' && failure.retryAfterMs === undefined
      tell(poll, isFinal ? { kind: 'refused', reason: failure.message } : { kind: 'down', reason: failure.message, retryInMs: waitMs })
      if (isFinal) waitMs = lastWaitMs
    }
    poll.stop = clock.after(waitMs, () => void look(symbol, poll))
  }

  function begin(symbol: string): Poll {
    const poll: Poll = {
      sinks: new Set(),
      abort: new AbortController(),
      said: new Map(),
      state: { kind: 'connecting' },
      failures: 0,
      stop: clock.after(0, () => void look(symbol, poll)),
    }
    polls.set(symbol, poll)
    return poll
  }

  function end(symbol: string, poll: Poll): void {
    polls.delete(symbol)
    poll.stop()
    poll.abort.abort()
  }

  return {
    /** Listens until the returned function is called; the first look is after this call. */
    watch(symbol: string, sink: FeedSink): () => void {
      const poll = polls.get(symbol) ?? begin(symbol)
      poll.sinks.add(sink)
      sink.state(poll.state)
      return () => {
        if (poll.sinks.delete(sink) && poll.sinks.size === 0) end(symbol, poll)
      }
    },
    close(): void {
      for (const [symbol, poll] of polls) end(symbol, poll)
    },
  }
}
