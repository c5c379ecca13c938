// A fake source for tests: it knows all trades, and a test controls what arrives, when, and how often.
import { minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { addToSum, beginSum, type CandleSum } from '#shared/candles/candle-sum.ts'
import type { Feed, FeedClock, FeedError, FeedSink, SourceName, Trade } from '../../feed.ts'

export interface FakeFeed extends Feed {
  /** Adds a trade at its time, with or without listeners. */
  trade(trade: Trade): void
  /** Message delivery from now on: delay in milliseconds, and copies of each. */
  line: { delayMs: number; copies: number }
  /** Response to connections: `up` accepts, `mute` never responds. */
  door: 'up' | 'down' | 'mute' | 'refused'
  /** Connected, but nothing is sent. */
  isSilent: boolean
  /** Delay of a history response, or its error. */
  history$: { delayMs: number; error: FeedError | null }
  /** Breaks the connection; data in flight is lost. */
  cut(): void
  /** Accepts connections again, pending ones included. */
  restore(): void
  reject(): void
  /** Sends any state of a minute with a time of the message. */
  say(minute: Candle, eventMs: number): void
  /** Reports a message of a minute that it could not use. */
  suspect(timeMs: number): void
  /** Proves that nothing was traded since the last trade. */
  prove(): void
  /** The expected minutes with timestamps in [fromMs, toMs). */
  truth(fromMs: number, toMs: number): Candle[]
  /** First timestamps of the history requests. */
  readonly asked: readonly number[]
  readonly watchers: () => number
}

export interface FakeOptions {
  readonly source: SourceName
  readonly live: 'minutes' | 'trades'
  readonly clock: FeedClock
  /** Whether it reports closed minutes itself. */
  readonly saysClosed?: boolean
}

export function fakeFeed({ source, live, clock, saysClosed = true }: FakeOptions): FakeFeed {
  const minutes = new Map<number, CandleSum>()
  const sinks = new Set<FeedSink>()
  const asked: number[] = []
  /** Changes with every cut, so that data sent before is lost. */
  let lineNumber = 0
  let isConnected = true
  let closed: number | undefined

  function send(notify: (sink: FeedSink) => void): void {
    if (!isConnected || feed.isSilent) return
    const sentOn = lineNumber
    for (let copy = 0; copy < feed.line.copies; copy += 1)
      clock.after(feed.line.delayMs * (1 + copy), () => {
        if (sentOn === lineNumber) for (const sink of sinks) notify(sink)
      })
  }

  function closeUntil(ms: number): void {
    for (const [timeMs, minute] of minutes) {
      if (timeMs + minuteMs > ms || (closed !== undefined && timeMs <= closed)) continue
      closed = timeMs
      const whole = { ...minute }
      if (saysClosed && live === 'minutes') send((sink) => sink.minute(whole, true))
    }
  }

  const truth = (fromMs: number, toMs: number) =>
    [...minutes.values()].filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs).map((minute) => ({ ...minute }))

  const feed: FakeFeed = {
    source,
    live,
    steps: ['1m'],
    line: { delayMs: 0, copies: 1 },
    door: 'up',
    isSilent: false,
    history$: { delayMs: 0, error: null },
    asked,
    watchers: () => sinks.size,
    trade(trade) {
      const timeMs = Math.floor(trade.timeMs / minuteMs) * minuteMs
      const taker = trade.isTakerBuy === true ? trade.size : 0
      const { price, size: volume } = trade
      const part: Candle = { timeMs, open: price, high: price, low: price, close: price, volume, takerBuyVolume: taker }
      closeUntil(trade.timeMs)
      const known = minutes.get(timeMs)
      if (known === undefined) minutes.set(timeMs, beginSum(timeMs, part))
      else addToSum(known, part)
      const soFar = { ...(known ?? part) }
      send((sink) => (live === 'minutes' ? sink.minute(soFar, false) : sink.trade(trade)))
    },
    cut() {
      lineNumber += 1
      isConnected = false
      for (const sink of sinks) sink.state({ kind: 'down', reason: 'the line broke', retryInMs: 1000 })
    },
    restore() {
      isConnected = true
      feed.door = 'up'
      for (const sink of sinks) sink.state({ kind: 'live' })
    },
    reject() {
      feed.door = 'refused'
      for (const sink of sinks) sink.state({ kind: 'refused', reason: 'the key is wrong' })
    },
    say: (minute, eventMs) => send((sink) => sink.minute(minute, false, eventMs)),
    suspect: (timeMs) => send((sink) => sink.suspect?.(timeMs)),
    prove: () => send((sink) => sink.alive?.()),
    truth,
    async history({ fromMs, toMs }) {
      asked.push(fromMs)
      const { delayMs, error } = feed.history$
      const { promise, resolve } = Promise.withResolvers<void>()
      clock.after(delayMs, resolve)
      await promise
      if (error !== null) throw error
      return truth(fromMs, Math.min(toMs, Math.floor(clock.now() / minuteMs) * minuteMs))
    },
    watch(_symbol, sink) {
      sinks.add(sink)
      if (feed.door === 'up' && isConnected) sink.state({ kind: 'live' })
      else if (feed.door === 'refused') sink.state({ kind: 'refused', reason: 'the key is wrong' })
      else if (feed.door === 'down') sink.state({ kind: 'down', reason: 'the line broke', retryInMs: 1000 })
      else sink.state({ kind: 'connecting' })
      return () => sinks.delete(sink)
    },
    close: () => Promise.resolve(),
  }
  return feed
}
