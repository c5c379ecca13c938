// Candles of the charts that a user is likely to open next: subscribed ahead, and handed over when they open.
import type { CandleRow, LiveCondition } from '#shared/market-data/live/contract.ts'
import type { CandleSource } from './candle-source.ts'
import type { LiveListener, LiveRequest, LiveSnapshot } from './live-listener.ts'

/** A chart that has not opened by then was only passed by the pointer. */
const unusedMs = 5_000
/** The next timeframe, and the chart under the pointer. */
const chartsMax = 2

export interface CandlesAhead extends CandleSource {
  /** Subscribes to the candles of one chart, at most two at a time; the server decides whether it may. */
  prepare(request: LiveRequest): void
}

export function candlesAhead(source: CandleSource, after: (delayMs: number, run: () => void) => () => void): CandlesAhead {
  /** The oldest first. */
  const ready = new Map<string, Prepared>()
  const drop = (key: string): void => {
    ready.get(key)?.close()
    ready.delete(key)
  }
  return {
    ...source,
    prepare(request) {
      const key = keyOf(request)
      if (ready.has(key)) return
      const [oldest] = ready.keys()
      if (oldest !== undefined && ready.size === chartsMax) drop(oldest)
      const buffered = bufferEvents()
      const stop = source.open(request, buffered.listener)
      const cancel = after(unusedMs, () => drop(key))
      ready.set(key, { buffered, stop, cancel, close: () => (cancel(), stop()) })
    },
    open(request, listener) {
      const prepared = ready.get(keyOf(request))
      if (prepared === undefined) return source.open(request, listener)
      const { buffered, stop, cancel } = prepared
      ready.delete(keyOf(request))
      cancel()
      buffered.passTo(listener)
      return stop
    },
  }
}

interface Prepared {
  readonly buffered: BufferedEvents
  readonly stop: () => void
  readonly cancel: () => void
  readonly close: () => void
}

function keyOf({ slug, timeframe, adjustment, bars }: LiveRequest): string {
  return [slug, timeframe, adjustment, bars].join(' ')
}

interface BufferedEvents {
  readonly listener: LiveListener
  readonly passTo: (next: LiveListener) => void
}

/** Buffers what arrives until there is a listener for it. */
function bufferEvents(): BufferedEvents {
  let next: LiveListener | undefined
  let buffered: ((listener: LiveListener) => void)[] = []
  const pass = (event: (listener: LiveListener) => void): void => {
    if (next === undefined) buffered.push(event)
    else event(next)
  }
  return {
    listener: {
      snapshot: (snapshot: LiveSnapshot) => pass((listener) => listener.snapshot(snapshot)),
      update: (candles: readonly CandleRow[]) => pass((listener) => listener.update(candles)),
      condition: (condition: LiveCondition) => pass((listener) => listener.condition(condition)),
      connected: (isConnected: boolean) => pass((listener) => listener.connected(isConnected)),
      ended: (code: string, message: string) => pass((listener) => listener.ended(code, message)),
    },
    passTo(listener) {
      next = listener
      for (const event of buffered) event(listener)
      buffered = []
    },
  }
}
