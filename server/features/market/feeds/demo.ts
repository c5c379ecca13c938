// The source that always answers: a made-up market for every series, so that a fresh start shows moving charts. It is no market data.
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import { FeedError, stepMs, type Feed, type FeedClock, type FeedSink, type HistoryRequest } from '../feed.ts'
import { demoInstrument } from './demo-instruments.ts'
import { demoMarket, ticksPerMinute, type DemoMarket } from './demo-market.ts'

const tickMs = 500
/** More minutes than that in one jump of the clock, as after a sleep of the machine, are left to history. */
const mostMinutesAtOnce = 5

/** How far back the demo goes. */
const depthDays = 5 * 366

export interface DemoNeeds {
  readonly clock: FeedClock
  /** Another seed is another market; the same seed is the same market for ever. */
  readonly seed?: string
}

/** Tells a sink two times a second how the present minute stands; returns the way to stop it. */
function play(market: DemoMarket, sink: FeedSink, clock: FeedClock): () => void {
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
      sink.minute(market.minuteAfter(at, ticksPerMinute), true)
  }

  function tick(): void {
    const now = clock.now()
    const minuteStartMs = now - (now % minuteMs)
    finishUntil(minuteStartMs)
    if (life.signal.aborted) return
    // A clock that was set back does not reopen a minute that is over.
    if (formingMs === undefined || minuteStartMs >= formingMs) {
      formingMs = minuteStartMs
      sink.minute(market.minuteAfter(minuteStartMs, Math.floor((now - minuteStartMs) / tickMs) + 1), false)
    }
    stopTimer = clock.after(tickMs - (clock.now() % tickMs), tick)
  }

  sink.state({ kind: 'connecting' })
  // The first news comes after the caller has the function that stops it.
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
 * The demo feed. Its symbols are the keys of the series. Its market never closes, whatever the instrument, because a chart
 * must move whenever somebody starts the program: whoever follows it uses the trading hours of `crypto`, also for a share
 * of the NSE. Candles depend on nothing but seed, series and time: hours and days are exactly what their minutes make, and
 * the minute that is told live ends as history has it.
 */
export function demoFeed({ clock, seed = 'tezi' }: DemoNeeds): Feed {
  const markets = new Map<string, DemoMarket>()
  const stops = new Set<() => void>()

  function marketOf(symbol: string): DemoMarket | undefined {
    const known = markets.get(symbol)
    const instrument = demoInstrument(symbol)
    if (known !== undefined || instrument === undefined) return known
    const market = demoMarket(instrument, seed)
    markets.set(symbol, market)
    return market
  }

  function history({ symbol, step, fromMs, toMs }: HistoryRequest) {
    const market = marketOf(symbol)
    if (market === undefined) throw new FeedError('refused', `The demo has no ${symbol}`)
    const now = clock.now()
    const firstMs = now - (now % dayMs) - depthDays * dayMs
    // A candle whose end is not reached still forms.
    return market.candles(step, Math.max(fromMs, firstMs), Math.min(toMs, now - (now % stepMs[step])))
  }

  return {
    source: 'demo',
    steps: ['1m', '1h', '1D'],
    live: 'minutes',
    history: async (request) => history(request),
    watch(symbol, sink) {
      const market = marketOf(symbol)
      if (market === undefined) return clock.after(0, () => sink.state({ kind: 'refused', reason: `The demo has no ${symbol}` }))
      const stop = play(market, sink, clock)
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
