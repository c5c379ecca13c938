// The source that always answers: a made-up market for every series, so that a fresh start shows moving charts. It is no market data.
import { factsOf } from '#shared/market/instrument-facts.ts'
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
import { demoInstrument } from './demo-instruments.ts'
import { alwaysOpen, inSessions, type TimedMarket } from './demo-hours.ts'
import { demoMarket, ticksPerMinute } from './demo-market.ts'

const tickMs = 500
/** More minutes than that in one jump of the clock, as after a sleep of the machine, are left to history. */
const mostMinutesAtOnce = 5

/** How far back the demo goes. */
const depthDays = 5 * 366

export interface DemoNeeds {
  readonly clock: FeedClock
  /** Another seed is another market; the same seed is the same market for ever. */
  readonly seed?: string
  /** Around the clock unless given. */
  readonly hours?: DemoHours
  /** Notes a clock that was set back: prices wait and then repeat minutes. */
  readonly log?: FeedLog
}

/** The wall clock, which notes once when it was set back by more than a minute. */
function watchedNow(clock: FeedClock, log: FeedLog): () => number {
  let newestMs = Number.NEGATIVE_INFINITY
  let isNoted = false
  return () => {
    const now = clock.now()
    if (now >= newestMs) {
      newestMs = now
      isNoted = false
    } else if (newestMs - now > minuteMs && !isNoted) {
      isNoted = true
      log('the clock was set back: demo prices stand still and then repeat minutes', { byMs: newestMs - now })
    }
    return now
  }
}

/** Tells a sink two times a second how the present minute stands; returns the way to stop it. */
function play(market: TimedMarket, sink: FeedSink, { after, now: wallMs }: Pick<FeedClock, 'after' | 'now'>): () => void {
  let formingMs: number | undefined
  let stopTimer: (() => void) | undefined
  const life = new AbortController()

  function finishUntil(minuteStartMs: number): void {
    if (formingMs === undefined || formingMs >= minuteStartMs) return
    if (minuteStartMs - formingMs > mostMinutesAtOnce * minuteMs) {
      sink.state({ kind: 'live' })
      return
    }
    for (let at = formingMs; at < minuteStartMs && !life.signal.aborted; at += minuteMs)
      if (market.isTrading(at)) sink.minute(market.minuteAfter(at, ticksPerMinute), true)
  }

  function tick(): void {
    const now = wallMs()
    const minuteStartMs = now - (now % minuteMs)
    finishUntil(minuteStartMs)
    if (life.signal.aborted) return
    // A clock that was set back does not reopen a minute that is over.
    if (!market.isTrading(minuteStartMs)) formingMs = undefined
    else if (formingMs === undefined || minuteStartMs >= formingMs) {
      formingMs = minuteStartMs
      sink.minute(market.minuteAfter(minuteStartMs, Math.floor((now - minuteStartMs) / tickMs) + 1), false)
    }
    stopTimer = after(tickMs - (wallMs() % tickMs), tick)
  }

  sink.state({ kind: 'connecting' })
  // The first news comes after the caller has the function that stops it.
  stopTimer = after(0, () => {
    sink.state({ kind: 'live' })
    if (!life.signal.aborted) tick()
  })
  return () => {
    life.abort()
    stopTimer?.()
  }
}

/**
 * The demo feed. Its symbols are the keys of the series. By default its market never closes, whatever the instrument, because a
 * chart must move whenever the program is started: its candles follow the trading hours of `crypto`, also those of a share
 * of the NSE. With `session` they follow the hours and holidays of the instrument. Candles depend on nothing but seed, series
 * and time: hours and days are exactly what their minutes make, and the minute that is told live ends as history has it.
 */
export function demoFeed({ clock, seed = 'tezi', hours = 'always', log = () => undefined }: DemoNeeds): Feed {
  const playClock: Pick<FeedClock, 'now' | 'after'> = { now: watchedNow(clock, log), after: (delayMs, run) => clock.after(delayMs, run) }
  const markets = new Map<string, TimedMarket>()
  const stops = new Set<() => void>()

  function marketOf(symbol: string): TimedMarket | undefined {
    const known = markets.get(symbol)
    const instrument = demoInstrument(symbol)
    if (known !== undefined || instrument === undefined) return known
    const made = demoMarket(instrument, seed)
    const market = hours === 'always' ? alwaysOpen(made) : inSessions(made, factsOf(symbol).sessionClass)
    markets.set(symbol, market)
    return market
  }

  function history({ symbol, step, fromMs, toMs }: HistoryRequest) {
    const market = marketOf(symbol)
    if (market === undefined) throw new FeedError('refused', `The demo has no ${symbol}`)
    const now = clock.now()
    const firstMs = now - (now % dayMs) - depthDays * dayMs
    // A candle whose end is not reached still forms.
    return market.history(commonStepOf(step), { fromMs: Math.max(fromMs, firstMs), toMs }, now)
  }

  return {
    source: 'demo',
    steps: ['1m', '1h', '1D'],
    reachMs: { '1m': depthDays * dayMs, '1h': depthDays * dayMs, '1D': depthDays * dayMs },
    live: 'minutes',
    history: async (request) => history(request),
    watch(symbol, sink) {
      const market = marketOf(symbol)
      if (market === undefined) return clock.after(0, () => sink.state({ kind: 'refused', reason: `The demo has no ${symbol}` }))
      const stop = play(market, sink, playClock)
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
