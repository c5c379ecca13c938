// A feed under a licence that requires a delay: nothing younger leaves it, live or historical.
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import { stepMs, type Feed, type FeedClock, type FeedSink, type RejectedRow } from '../feed.ts'

/** From this delay on nothing becomes due during a session, so nothing is requested. */
const historyOnlyMs = dayMs

/** Wraps a feed so that every price is at least `delayMs` old; without a delay it returns the feed itself. */
export function delayedFeed(whole: Feed, delayMs: number, clock: FeedClock): Feed {
  if (delayMs === 0) return whole
  const { olderMinutes: _, ...feed } = whole
  const history: Feed['history'] = (request) => {
    // A candle is as old as its end.
    const toMs = Math.min(request.toMs, clock.now() - delayMs - stepMs[request.step] + 1)
    return toMs <= request.fromMs ? Promise.resolve([]) : feed.history({ ...request, toMs })
  }
  if (delayMs >= historyOnlyMs)
    return {
      ...feed,
      live: 'none',
      history,
      watch(_symbol, sink) {
        sink.state({ kind: 'live' })
        return () => undefined
      },
    }
  return { ...feed, live: 'poll', history, watch: (symbol, sink) => poll({ history, symbol, sink, clock, delayMs }) }
}

interface Polling {
  readonly history: Feed['history']
  readonly symbol: string
  readonly sink: FeedSink
  readonly clock: FeedClock
  readonly delayMs: number
}

/** Whole minutes as they become due; the forming minute is never old enough. */
function poll({ history, symbol, sink, clock, delayMs }: Polling): () => void {
  let fromMs = Math.floor((clock.now() - delayMs) / minuteMs - 1) * minuteMs
  let isLive = false
  let cancel: () => void = () => undefined
  const stopped = new AbortController()
  const round = async (): Promise<void> => {
    try {
      let rejected: readonly RejectedRow[] = []
      const onRejected = (rows: readonly RejectedRow[]): void => void (rejected = rejected.concat(rows))
      const candles = await history({ symbol, step: '1m', fromMs, toMs: clock.now(), signal: stopped.signal, onRejected })
      if (stopped.signal.aborted) return
      if (!isLive) sink.state({ kind: 'live' })
      isLive = true
      for (const { span, issue } of rejected) sink.suspect?.(span.fromMs, issue)
      for (const candle of candles) sink.minute(candle, true)
      fromMs = (candles.at(-1)?.timeMs ?? fromMs - minuteMs) + minuteMs
    } catch (error) {
      if (stopped.signal.aborted) return
      isLive = false
      sink.state({ kind: 'down', reason: error instanceof Error ? error.message : String(error), retryInMs: minuteMs })
    }
    cancel = clock.after(minuteMs, round)
  }
  sink.state({ kind: 'connecting' })
  void round()
  return () => {
    stopped.abort()
    cancel()
  }
}
