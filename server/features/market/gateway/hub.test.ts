// The hub on a clock that the test moves: who is followed, how often news goes out, what is stored, and what a licence keeps back.
import { describe, expect, it } from 'vitest'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/market/candles/candle.ts'
import { manualClock } from '../feeds/testing/manual-clock.ts'
import { stepMs, type Feed, type FeedSink, type HistoryRequest, type SourceName } from '../feed.ts'
import { parseLicences, type Licences } from '../licences.ts'
import type { CandleKey, CandleStore } from '../store/candle-store.ts'
import { memoryBus } from './bus-memory.ts'
import type { SeriesUpdate } from './bus.ts'
import { startHub } from './hub.ts'
import { planSeries } from './series-plan.ts'

const startMs = Date.parse('2026-11-20T06:00:00Z')

/** A feed whose minute m has the price m, as far as it goes back. */
function steadyFeed(source: SourceName) {
  const sinks = new Map<string, FeedSink>()
  const asked: HistoryRequest[] = []
  const feed: Feed = {
    source,
    steps: ['1m', '1h', '1D'],
    live: 'minutes',
    history(request) {
      asked.push(request)
      const lengthMs = stepMs[request.step]
      const first = Math.ceil(request.fromMs / lengthMs) * lengthMs
      const count = Math.max(0, Math.min(20, Math.ceil((request.toMs - first) / lengthMs)))
      const from = Math.max(first, Math.ceil(request.toMs / lengthMs) * lengthMs - count * lengthMs)
      return Promise.resolve(Array.from({ length: count }, (_, index) => candle(from + index * lengthMs)))
    },
    watch(symbol, sink) {
      sinks.set(symbol, sink)
      sink.state({ kind: 'live' })
      return () => sinks.delete(symbol)
    },
    close: () => Promise.resolve(),
  }
  return { feed, sinks, asked }
}

function candle(timeMs: number, close = 100): Candle {
  return { timeMs, open: 100, high: Math.max(100, close), low: Math.min(100, close), close, volume: 1, takerBuyVolume: null }
}

function fakeStore() {
  const kept = new Map<string, Map<number, Candle>>()
  const of = ({ series, source, step }: CandleKey) => {
    const name = `${series} ${source} ${step}`
    const candles = kept.get(name) ?? new Map<number, Candle>()
    kept.set(name, candles)
    return candles
  }
  const store: CandleStore = {
    append(key, candles) {
      for (const one of candles) of(key).set(one.timeMs, one)
      return Promise.resolve()
    },
    range: (key, { fromMs, toMs }) => Promise.resolve([...of(key).values()].filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)),
    bounds(key) {
      const stamps = [...of(key).keys()]
      return Promise.resolve(stamps.length === 0 ? undefined : { firstMs: Math.min(...stamps), lastMs: Math.max(...stamps) })
    },
  }
  return { store, stamps: (key: CandleKey) => [...of(key).keys()].toSorted((one, other) => one - other) }
}

function world(options: { licences?: string; sources?: readonly SourceName[] } = {}) {
  const clock = manualClock(startMs)
  const { bus, hub } = memoryBus()
  const { store, stamps } = fakeStore()
  const made = new Map((options.sources ?? ['binance']).map((source) => [source, steadyFeed(source)]))
  const licences = parseLicences(options.licences ?? '') as Licences
  const plans = { feeds: new Map([...made].map(([source, { feed }]) => [source, feed])), licences, demo: undefined, clock }
  let epochs = 0
  const running = startHub({
    bus: hub,
    store,
    planOf: (series) => planSeries(plans, series, '2026-11-20'),
    clock,
    log: () => undefined,
    newEpoch: () => `epoch-${(epochs += 1)}`,
  })
  /** Lets time pass in small steps, and promises after each. */
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 250) {
      clock.advance(Math.min(250, left))
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    }
  }
  const listen = (series: string): SeriesUpdate[] => {
    const updates: SeriesUpdate[] = []
    bus.listen(series, { update: (update) => updates.push(update), lost: () => undefined, away: () => undefined })
    return updates
  }
  return { clock, bus, running, made, pass, listen, stamps }
}

describe('one upstream watch', () => {
  it('serves however many want the series, and stays a while after the last', async () => {
    const { bus, made, pass, running } = world()
    const sinks = made.get('binance')?.sinks
    const release = Array.from({ length: 50 }, () => bus.want('btc-usdt'))
    await pass(1_000)
    expect([...(sinks?.keys() ?? [])]).toEqual(['BTCUSDT'])
    for (const leave of release) leave()
    await pass(29_000)
    expect(sinks?.size).toBe(1)
    await pass(2_000)
    expect(sinks?.size).toBe(0)
    expect(running.report()).toEqual([])
  })

  it('is not opened for what no instrument has', async () => {
    const { bus, pass, running } = world()
    bus.want('tesla')
    bus.want('__proto__')
    await pass(1_000)
    expect(running.report()).toEqual([])
  })

  it('says why there is none', async () => {
    const { bus, pass, listen } = world()
    const updates = listen('nifty')
    bus.want('nifty')
    await pass(1_000)
    expect(updates.at(-1)?.condition).toMatchObject({ source: null, label: null, reason: 'No price source is set up for this instrument.' })
  })
})

describe('news', () => {
  it('goes out four times a second at most, numbered without a hole, with the last value of each minute', async () => {
    const { bus, clock, made, pass, listen } = world()
    const updates = listen('btc-usdt')
    bus.want('btc-usdt')
    await pass(10_000)
    const before = updates.length
    const sink = made.get('binance')?.sinks.get('BTCUSDT')
    for (let tick = 0; tick < 100; tick += 1) {
      sink?.minute(candle(startMs, 100 + tick / 100), false)
      await pass(10)
    }
    await pass(1_000)
    const news = updates.slice(before).filter(({ minutes }) => minutes.length > 0)
    expect(news.length).toBeGreaterThanOrEqual(3)
    expect(news.length).toBeLessThanOrEqual(6)
    expect(news.at(-1)?.minutes).toEqual([candle(startMs, 100.99)])
    const numbers = updates.filter(({ minutes, epoch }) => minutes.length > 0 && epoch === news[0]?.epoch).map(({ seq }) => seq)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    expect((await bus.state('btc-usdt'))?.seq).toBe(numbers.at(-1))
    expect(clock.now()).toBeGreaterThan(startMs)
  })

  it('is repeated without a number while nothing happens', async () => {
    const { bus, pass, listen } = world()
    const updates = listen('btc-usdt')
    bus.want('btc-usdt')
    await pass(10_000)
    const { length } = updates
    const seq = updates.at(-1)?.seq
    await pass(45_000)
    const repeated = updates.slice(length).filter(({ minutes }) => minutes.length === 0)
    expect(repeated.length).toBeGreaterThanOrEqual(2)
    expect(repeated.at(-1)?.seq).toBeGreaterThanOrEqual(seq ?? 0)
  })

  it('says that it is stale when the source falls silent, and that it is not when it speaks', async () => {
    const { bus, made, pass, listen, clock } = world()
    const updates = listen('btc-usdt')
    bus.want('btc-usdt')
    await pass(1_000)
    const sink = made.get('binance')?.sinks.get('BTCUSDT')
    sink?.minute(candle(startMs), false)
    await pass(7_000)
    expect(updates.at(-1)?.condition.isStale).toBe(true)
    sink?.minute(candle(Math.floor(clock.now() / minuteMs) * minuteMs, 101), false)
    await pass(1_500)
    expect(updates.at(-1)?.condition.isStale).toBe(false)
  })
})

describe('the store', () => {
  it('gets closed minutes, hours and days, and not the minute that forms', async () => {
    const { bus, made, pass, stamps } = world()
    bus.want('btc-usdt')
    await pass(1_000)
    const sink = made.get('binance')?.sinks.get('BTCUSDT')
    sink?.minute(candle(startMs), true)
    sink?.minute(candle(startMs + minuteMs), false)
    await pass(10_000)
    const minutes = stamps({ series: 'btc-usdt', source: 'binance', step: '1m' })
    expect(minutes.at(-1)).toBe(startMs)
    expect(stamps({ series: 'btc-usdt', source: 'binance', step: '1h' }).length).toBeGreaterThan(0)
    expect(stamps({ series: 'btc-usdt', source: 'binance', step: '1D' }).length).toBeGreaterThan(0)
  })

  it('gets older candles when somebody asks for them', async () => {
    const { bus, pass, stamps } = world()
    bus.want('btc-usdt')
    await pass(1_000)
    const beforeMs = startMs - 100 * dayMs
    expect(await bus.extend('btc-usdt', '1m', beforeMs)).toBe(true)
    expect(stamps({ series: 'btc-usdt', source: 'binance', step: '1m' })[0]).toBeLessThan(beforeMs)
    expect(await bus.extend('eth-usdt', '1m', beforeMs)).toBe(false)
  })
})

describe('prices of an exchange', () => {
  it.each([
    ['', 30 * dayMs, 'education'],
    ['nse=delayed-15:NSE/1', 15 * minuteMs, 'delayed'],
    ['nse=licensed:NSE/1', 0, 'live'],
  ] as const)('under %j are at least %d ms old, by every way', async (licences, delayMs, mode) => {
    const { bus, clock, made, pass, listen, stamps } = world({ sources: ['kite'], licences })
    const updates = listen('nifty')
    bus.want('nifty')
    await pass(1_000)
    made.get('kite')?.sinks.get('NSE:NIFTY 50')?.minute(candle(startMs), true)
    await pass(3 * minuteMs)
    await bus.extend('nifty', '1m', clock.now())
    expect(updates.at(-1)?.condition.label).toMatchObject({ mode })
    const seen = [
      ...updates.flatMap(({ minutes }) => minutes.map(({ timeMs }) => timeMs + minuteMs)),
      ...stamps({ series: 'nifty', source: 'kite', step: '1m' }).map((timeMs) => timeMs + minuteMs),
      ...stamps({ series: 'nifty', source: 'kite', step: '1h' }).map((timeMs) => timeMs + 60 * minuteMs),
    ]
    expect(seen.length).toBeGreaterThan(0)
    if (delayMs > 0) for (const endMs of seen) expect(endMs).toBeLessThanOrEqual(clock.now() - delayMs)
    else expect(Math.max(...seen)).toBeGreaterThan(startMs - minuteMs)
  })

  it('of an own broker go into a series of their own, and the common one has none', async () => {
    const { bus, pass, listen } = world({ sources: ['kite'], licences: 'nse=own-broker:owner@tezi.example' })
    const common = listen('nifty')
    const own = listen('nifty~own')
    bus.want('nifty')
    bus.want('nifty~own')
    await pass(3_000)
    expect(common.at(-1)?.condition.source).toBeNull()
    expect(own.at(-1)?.condition).toMatchObject({ source: 'kite', label: { mode: 'live' } })
  })

  it('of a vendor without a licence are not shown at all, and the chart says so', async () => {
    const { bus, pass, listen } = world({ sources: ['twelve-data'] })
    const updates = listen('cad-jpy')
    bus.want('cad-jpy')
    await pass(3_000)
    expect(updates.at(-1)?.condition).toMatchObject({ source: null, reason: expect.stringContaining('licence') })
  })
})
