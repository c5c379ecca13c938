// Candles of the chart that a user is likely to open next: subscribed ahead, and handed over when it opens.
import type { CandleRow, LiveCondition } from '#shared/market-data/live.ts'
import type { CandleSource } from './candle-source.ts'
import type { LiveListener, LiveRequest, LiveSnapshot } from './live-listener.ts'

/** A chart that has not opened by then was only passed by the pointer. */
const keepMs = 5_000

export interface CandlesAhead extends CandleSource {
  /** Subscribes to the candles of one chart, instead of those before; the server decides whether it may. */
  prepare(request: LiveRequest): void
}

export function candlesAhead(source: CandleSource, after: (delayMs: number, run: () => void) => () => void): CandlesAhead {
  let ready: Prepared | undefined
  const drop = (): void => {
    ready?.close()
    ready = undefined
  }
  return {
    ...source,
    prepare(request) {
      const key = keyOf(request)
      if (ready?.key === key) return
      drop()
      const held = holdEvents()
      const stop = source.open(request, held.listener)
      const cancel = after(keepMs, drop)
      ready = { key, held, stop, cancel, close: () => (cancel(), stop()) }
    },
    open(request, listener) {
      if (ready?.key !== keyOf(request)) return source.open(request, listener)
      const { held, stop, cancel } = ready
      ready = undefined
      cancel()
      held.handOver(listener)
      return stop
    },
  }
}

interface Prepared {
  readonly key: string
  readonly held: HeldEvents
  readonly stop: () => void
  readonly cancel: () => void
  readonly close: () => void
}

function keyOf({ slug, timeframe, adjustment, bars }: LiveRequest): string {
  return [slug, timeframe, adjustment, bars].join(' ')
}

interface HeldEvents {
  readonly listener: LiveListener
  readonly handOver: (next: LiveListener) => void
}

/** Holds what arrives until there is a listener for it. */
function holdEvents(): HeldEvents {
  let next: LiveListener | undefined
  let held: ((listener: LiveListener) => void)[] = []
  const pass = (event: (listener: LiveListener) => void): void => {
    if (next === undefined) held.push(event)
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
    handOver(listener) {
      next = listener
      for (const event of held) event(listener)
      held = []
    },
  }
}
