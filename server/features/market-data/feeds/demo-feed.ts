// The fallback source: a generated market for every series, so that a fresh install shows moving charts. Not market data.
import { factsOf } from '#shared/instruments/instrument-facts.ts'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import {
  commonStepOf,
  FeedError,
  type DemoHours,
  type Feed,
  type FeedClock,
  type FeedLog,
  type FeedSink,
  type HistoryRequest,
} from '../feed.ts'
import { demoInstrument } from './demo-instrument.ts'
import { alwaysOpenMarket, sessionMarket, type TimedMarket, demoMarket, ticksPerMinute } from './demo-market.ts'

const tickMs = 500
/** If the clock jumps by more minutes, as after a system sleep, they are left to history. */
const minutesAtOnceMax = 5

/** A longer wait for a clock that was set back is worse than repeated minutes: it may have been days ahead. */
const setBackMaxMs = 15 * minuteMs
/** History depth of the demo. */
const depthDays = 5 * 366

export interface DemoOptions {
  readonly clock: FeedClock
  /** A seed always generates the same market; another seed generates another one. */
  readonly seed?: string
  /** Around the clock by default. */
  readonly hours?: DemoHours
  /** Logs a clock that was set back. */
  readonly log?: FeedLog
}

/**
 * The wall clock. If it was set back by up to `setBackMaxMs`, the latest time that it has shown, until it has caught up,
 * so that nothing repeats; after a longer step it restarts at the wall clock.
 */
function steadyTime(clock: FeedClock, log: FeedLog): () => number {
  let newestMs = Number.NEGATIVE_INFINITY
  let isNoted = false
  return () => {
    const now = clock.now()
    const byMs = newestMs - now
    if (byMs > 0 && byMs <= setBackMaxMs) {
      if (byMs > minuteMs && !isNoted) log('the clock was set back: generated prices stand still until it has caught up', { byMs })
      isNoted ||= byMs > minuteMs
      return newestMs
    }
    if (byMs > setBackMaxMs) log('the clock was set back: generated prices repeat minutes', { byMs })
    newestMs = now
    isNoted = false
    return now
  }
}

/** Emits the current minute to a sink twice a second; returns a function that stops it. */
function play(market: TimedMarket, sink: FeedSink, { clock, steadyNow }: { clock: FeedClock; steadyNow: () => number }): () => void {
  let formingMs: number | undefined
  let stopTimer: (() => void) | undefined
  const life = new AbortController()

  function finishUntil(minuteStartMs: number): void {
    if (formingMs === undefined || formingMs >= minuteStartMs) return
    if (minuteStartMs - formingMs > minutesAtOnceMax * minuteMs) {
      sink.state({ kind: 'live' })
      return
    }
    for (let at = formingMs; at < minuteStartMs && !life.signal.aborted; at += minuteMs)
      if (market.isTrading(at)) sink.minute(market.minuteAfter(at, ticksPerMinute), true)
  }

  function tick(): void {
    const now = steadyNow()
    const minuteStartMs = now - (now % minuteMs)
    finishUntil(minuteStartMs)
    if (life.signal.aborted) return
    // After a step beyond the wait, a closed minute is not reopened.
    if (!market.isTrading(minuteStartMs)) formingMs = undefined
    else if (formingMs === undefined || minuteStartMs >= formingMs) {
      formingMs = minuteStartMs
      sink.minute(market.minuteAfter(minuteStartMs, Math.floor((now - minuteStartMs) / tickMs) + 1), false)
    }
    stopTimer = clock.after(tickMs - (clock.now() % tickMs), tick)
  }

  sink.state({ kind: 'connecting' })
  // The first event must come after the caller has received the stop function.
  stopTimer = clock.after(0, () => {
    sink.state({ kind: 'live' })
    if (!life.signal.aborted) tick()
  })
  return () => {
    life.abort()
    stopTimer?.()
  }
}

/**
 * The demo feed. Its symbols are the series keys. By default its market never closes, because charts must move whenever
 * the program is started: candles follow the trading hours of `crypto`, even for a share of the NSE. With `session` they
 * follow the hours and holidays of the instrument. Candles depend only on seed, series and time: hours and days
 * aggregate exactly from their minutes, and the live minute ends as history has it.
 */
export function demoFeed({ clock, seed = 'tezi', hours = 'always', log = () => undefined }: DemoOptions): Feed {
  const steadyNow = steadyTime(clock, log)
  const markets = new Map<string, TimedMarket>()
  const stops = new Set<() => void>()

  function marketOf(symbol: string): TimedMarket | undefined {
    const known = markets.get(symbol)
    const instrument = demoInstrument(symbol)
    if (known !== undefined || instrument === undefined) return known
    const made = demoMarket(instrument, seed)
    const market = hours === 'always' ? alwaysOpenMarket(made) : sessionMarket(made, factsOf(symbol).sessionClass)
    markets.set(symbol, market)
    return market
  }

  function history({ symbol, step, fromMs, toMs }: HistoryRequest) {
    const market = marketOf(symbol)
    if (market === undefined) throw new FeedError('refused', `The demo has no ${symbol}`)
    const now = steadyNow()
    const firstMs = now - (now % dayMs) - depthDays * dayMs
    // A candle whose end has not been reached is still forming.
    return market.history(commonStepOf(step), { fromMs: Math.max(fromMs, firstMs), toMs }, now)
  }

  return {
    source: 'demo',
    steps: ['1m', '1h', '1D'],
    reachMs: { '1m': depthDays * dayMs, '1h': depthDays * dayMs, '1D': depthDays * dayMs },
    live: 'minutes',
    now: steadyNow,
    history: async (request) => history(request),
    watch(symbol, sink) {
      const market = marketOf(symbol)
      if (market === undefined) return clock.after(0, () => sink.state({ kind: 'refused', reason: `The demo has no ${symbol}` }))
      const stop = play(market, sink, { clock, steadyNow })
      stops.add(stop)
      return () => {
        stops.delete(stop)
        stop()
      }
    },
    async close() {
      for (const stop of stops) stop()
      stops.clear()
    },
  }
}
