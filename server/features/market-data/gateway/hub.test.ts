// The hub on a fake clock: followed series, update rate, storage, and licence restrictions.
import { describe, expect, it } from 'vitest'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { manualClock } from '../feeds/testing/manual-clock.ts'
import { FeedError, stepMs, type Feed, type FeedSink, type HistoryRequest, type SourceName } from '../feed.ts'
import { parseLicences, type Licences } from '../licences.ts'
import { memoryChecks } from './check-adjustment.ts'
import { memoryRejectedRows } from '../store/rejected-rows.ts'
import { listStore } from '#server/testing/candles.ts'
import type { CandleKey } from '../store/candle-store.ts'
import { memoryBus, type SeriesUpdate } from './market-bus.ts'
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
  const store = listStore()
  const all = { fromMs: -Infinity, toMs: Infinity }
  const stamps = async (key: CandleKey) => (await store.range(key, all)).map(({ timeMs }) => timeMs)
  return { store, stamps }
}

function world(options: { licences?: string; sources?: readonly SourceName[] } = {}) {
  const clock = manualClock(startMs)
  const { bus, hub } = memoryBus()
  const { store, stamps } = fakeStore()
  const made = new Map((options.sources ?? ['binance']).map((source) => [source, steadyFeed(source)]))
  const licences = parseLicences(options.licences ?? '') as Licences
  const plans = { feeds: new Map([...made].map(([source, { feed }]) => [source, feed])), licences, demo: undefined, clock }
  let epochs = 0
  const keeping = { store, checks: memoryChecks(), rejectedRows: memoryRejectedRows(() => clock.now()) }
  const running = startHub({
    bus: hub,
    ...keeping,
    planOf: (series) => planSeries(plans, series, '2026-11-20'),
    clock,
    log: () => undefined,
    newEpoch: () => `epoch-${(epochs += 1)}`,
  })
  /** Advances time in small steps, and runs promises after each. */
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 250) {
      clock.advance(Math.min(250, left))
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    }
  }
  const listen = (series: string): SeriesUpdate[] => {
    const updates: SeriesUpdate[] = []
    bus.subscribe(series, { update: (update) => updates.push(update), lost: () => undefined, away: () => undefined })
    return updates
  }
  return { clock, bus, running, made, pass, listen, store, stamps }
}

describe('one upstream subscription', () => {
  it('serves all requests for a series, and stays open for a while after the last', async () => {
    const { bus, made, pass, running } = world()
    const sinks = made.get('binance')?.sinks
    const release = Array.from({ length: 50 }, () => bus.request('btc-usdt'))
    await pass(1_000)
    expect([...(sinks?.keys() ?? [])]).toEqual(['BTCUSDT'])
    for (const leave of release) leave()
    await pass(29_000)
    expect(sinks?.size).toBe(1)
    await pass(2_000)
    expect(sinks?.size).toBe(0)
    expect(running.report()).toEqual([])
  })

  it('reports how long ago its source sent something new', async () => {
    const { bus, made, pass, running } = world()
    bus.request('btc-usdt')
    await pass(2_000)
    made.get('binance')?.sinks.get('BTCUSDT')?.minute(candle(startMs, 101), false)
    await pass(1_000)
    expect(running.report()).toMatchObject([{ series: 'btc-usdt', source: 'binance', ageMs: 1_000 }])
    await pass(2_500)
    expect(running.report()).toMatchObject([{ ageMs: 3_500 }])
  })

  it('reports a series as stale whose source never answered, and not while its first source is tried', async () => {
    const { bus, made, pass, running } = world()
    const feed = made.get('binance')?.feed
    if (feed === undefined) throw new Error('no feed')
    feed.watch = (_symbol, sink) => {
      sink.state({ kind: 'down', reason: 'refused', retryInMs: 1_000, failures: 1 })
      return () => undefined
    }
    feed.history = () => Promise.reject(new FeedError('unreachable', 'refused'))
    bus.request('btc-usdt')
    expect(running.report()).toMatchObject([{ source: null, isStale: false }])
    await pass(60_000)
    expect(running.report()).toMatchObject([{ source: null, isStale: true }])
  })

  it('reports a series without any source as not stale', async () => {
    const { bus, pass, running } = world({ sources: [] })
    bus.request('btc-usdt')
    await pass(60_000)
    expect(running.report()).toMatchObject([{ source: null, isStale: false }])
  })

  it('publishes the series immediately to a returning client while it is open', async () => {
    const { bus, made, pass } = world()
    const leave = bus.request('btc-usdt')
    await pass(2_000)
    leave()
    await pass(5_000)
    bus.request('btc-usdt')
    await pass(250)
    expect((await bus.state('btc-usdt'))?.condition.source).toBe('binance')
    expect(made.get('binance')?.sinks.size).toBe(1)
  })

  it('is not opened for a series without an instrument', async () => {
    const { bus, pass, running } = world()
    bus.request('tesla')
    bus.request('__proto__')
    await pass(1_000)
    expect(running.report()).toEqual([])
  })

  it('reports why there is none', async () => {
    const { bus, pass, listen } = world()
    const updates = listen('nifty')
    bus.request('nifty')
    await pass(1_000)
    expect(updates.at(-1)?.condition).toMatchObject({ source: null, label: null, reason: 'No price source is set up for this instrument.' })
  })
})

describe('updates', () => {
  it('are published at most four times a second, numbered without gaps, with the last value of each minute', async () => {
    const { bus, clock, made, pass, listen } = world()
    const updates = listen('btc-usdt')
    bus.request('btc-usdt')
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

  it('continue immediately when the wall clock is set back by an hour', async () => {
    const { bus, clock, made, pass, listen } = world()
    const updates = listen('btc-usdt')
    bus.request('btc-usdt')
    await pass(10_000)
    const sink = made.get('binance')?.sinks.get('BTCUSDT')
    const minuteNow = Math.floor(clock.now() / minuteMs) * minuteMs
    sink?.minute(candle(minuteNow, 101), false)
    await pass(1_000)
    clock.stepWall(-60 * minuteMs)
    const before = updates.length
    sink?.minute(candle(minuteNow, 102), false)
    await pass(500)
    expect(updates.slice(before).flatMap(({ minutes }) => minutes.map(({ close }) => close))).toEqual([102])
    expect(updates.at(-1)?.condition.isStale).toBe(false)
  })

  it('are repeated without a number while nothing happens', async () => {
    const { bus, pass, listen } = world()
    const updates = listen('btc-usdt')
    bus.request('btc-usdt')
    await pass(10_000)
    const { length } = updates
    const seq = updates.at(-1)?.seq
    await pass(45_000)
    const repeated = updates.slice(length).filter(({ minutes }) => minutes.length === 0)
    expect(repeated.length).toBeGreaterThanOrEqual(2)
    expect(repeated.at(-1)?.seq).toBeGreaterThanOrEqual(seq ?? 0)
  })

  it('report stale prices when the source falls silent, and clear that when it resumes', async () => {
    const { bus, made, pass, listen, clock } = world()
    const updates = listen('btc-usdt')
    bus.request('btc-usdt')
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
  it('gets closed minutes, hours and days, but not the forming minute', async () => {
    const { bus, made, pass, stamps } = world()
    bus.request('btc-usdt')
    await pass(1_000)
    const sink = made.get('binance')?.sinks.get('BTCUSDT')
    sink?.minute(candle(startMs), true)
    sink?.minute(candle(startMs + minuteMs), false)
    await pass(10_000)
    const minutes = await stamps({ series: 'btc-usdt', source: 'binance', step: '1m' })
    expect(minutes.at(-1)).toBe(startMs)
    expect((await stamps({ series: 'btc-usdt', source: 'binance', step: '1h' })).length).toBeGreaterThan(0)
    expect((await stamps({ series: 'btc-usdt', source: 'binance', step: '1D' })).length).toBeGreaterThan(0)
  })

  it('gets older candles on request', async () => {
    const { bus, pass, stamps } = world()
    bus.request('btc-usdt')
    await pass(1_000)
    await pass(2_000)
    const beforeMs = (await stamps({ series: 'btc-usdt', source: 'binance', step: '1m' }))[0] ?? 0
    expect(await bus.extend('btc-usdt', '1', beforeMs)).toBe(true)
    expect((await stamps({ series: 'btc-usdt', source: 'binance', step: '1m' }))[0]).toBeLessThan(beforeMs)
    expect(await bus.extend('eth-usdt', '1', beforeMs)).toBe(false)
  })

  it('publishes a new epoch after a gap between stored candles was filled, because live charts have read it', async () => {
    const { bus, pass, listen, store } = world()
    const key = { series: 'btc-usdt', source: 'binance', step: '1m' } as const
    const edges = [-60, -40, -35, -10].map((minutes) => startMs + minutes * minuteMs)
    const [oneMs = 0, twoMs = 0, threeMs = 0, fourMs = 0] = edges
    await store.append(
      key,
      [],
      [
        { fromMs: oneMs, toMs: twoMs },
        { fromMs: threeMs, toMs: fourMs },
      ],
    )
    const updates = listen('btc-usdt')
    bus.request('btc-usdt')
    await pass(3_000)
    const spans = async () => (await store.coverage(key))['1m']?.filter(({ fromMs }) => fromMs < fourMs)
    expect(await spans()).toHaveLength(2)
    const epoch = updates.at(-1)?.epoch
    await pass(30_000)
    expect(await spans()).toHaveLength(1)
    expect(updates.at(-1)?.epoch).not.toBe(epoch)
  })
})

describe('candles that another process has replaced', () => {
  it('are published again, once for several in a row', async () => {
    const { bus, pass, listen, running } = world()
    const updates = listen('btc-usdt')
    bus.request('btc-usdt')
    await pass(10_000)
    const epochs = () => new Set(updates.map(({ epoch }) => epoch)).size
    const before = epochs()
    running.replaced('eth-usdt')
    await pass(20_000)
    expect(epochs()).toBe(before)
    running.replaced('btc-usdt')
    await pass(1_000)
    running.replaced('btc-usdt')
    await pass(20_000)
    expect(epochs()).toBe(before + 1)
  })

  it('correct the newest minutes as well, and leave the forming one alone', async () => {
    const { bus, made, pass, running, store } = world()
    bus.request('btc-usdt')
    await pass(1_000)
    const sink = made.get('binance')?.sinks.get('BTCUSDT')
    sink?.minute(candle(startMs, 101), true)
    sink?.minute(candle(startMs + minuteMs, 102), false)
    await pass(5_000)
    const closes = async () => (await bus.state('btc-usdt'))?.minutes.slice(-2).map(({ close }) => close)
    expect(await closes()).toEqual([101, 102])
    await store.append({ series: 'btc-usdt', source: 'binance', step: '1m' }, [candle(startMs, 105)])
    running.replaced('btc-usdt')
    await pass(16_000)
    expect(await closes()).toEqual([105, 102])
    sink?.minute(candle(startMs + minuteMs, 103), false)
    await pass(1_000)
    expect(await closes()).toEqual([105, 103])
  })

  it('leave the newest minutes as they are while the store does not answer', async () => {
    const { bus, made, pass, running, store } = world()
    bus.request('btc-usdt')
    await pass(1_000)
    made.get('binance')?.sinks.get('BTCUSDT')?.minute(candle(startMs, 101), true)
    await pass(5_000)
    const epoch = (await bus.state('btc-usdt'))?.epoch
    store.range = () => Promise.reject(new Error('no database'))
    running.replaced('btc-usdt')
    await pass(16_000)
    const state = await bus.state('btc-usdt')
    expect(state?.minutes.at(-1)?.close).toBe(101)
    expect(state?.epoch).not.toBe(epoch)
  })
})

describe('the candles of a share that was split', () => {
  it('are stored unadjusted, and wrong ones are replaced and published again', async () => {
    const { bus, made, pass, listen, store } = world({ sources: ['kite'], licences: 'nse=licensed:NSE/1,kite=licensed:K' })
    const exMs = Date.parse('2024-10-28')
    const days = Array.from({ length: 8 }, (_, index) => candle(exMs + (index - 4) * dayMs, 50)).map((day) => ({
      ...day,
      open: 50,
      high: 50,
      volume: 200,
    }))
    const kite = made.get('kite')?.feed
    if (kite === undefined) throw new Error('no feed')
    Object.assign(kite, {
      splitHistory: 'adjusted',
      // RELIANCE: 1:1 bonus, so that 100 became 50; the source returns 50 for all days.
      history: ({ step, fromMs, toMs }: HistoryRequest) =>
        Promise.resolve(step === '1D' ? days.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs) : []),
    })
    const key = { series: 'reliance', source: 'kite', step: '1D' } as const
    await store.append(key, days)
    const updates = listen('reliance')
    bus.request('reliance')
    await pass(5_000)
    const stored = await store.range(key, { fromMs: 0, toMs: Infinity })
    expect(stored.map(({ close }) => close)).toEqual([100, 100, 100, 100, 50, 50, 50, 50])
    expect(stored.map(({ volume }) => volume)).toEqual([100, 100, 100, 100, 200, 200, 200, 200])
    expect(new Set(updates.map(({ epoch }) => epoch)).size).toBeGreaterThan(2)
  })
})

describe('prices of an exchange', () => {
  it.each([
    ['nse=edu-30d:NSE/1,kite=licensed:K', 30 * dayMs, 'education'],
    ['nse=delayed-15:NSE/1,kite=licensed:K', 15 * minuteMs, 'delayed'],
    ['nse=licensed:NSE/1,kite=delayed-5:K', 5 * minuteMs, 'delayed'],
    ['nse=licensed:NSE/1,kite=licensed:K', 0, 'live'],
  ] as const)('under %j are at least %d ms old, live and historical', async (licences, delayMs, mode) => {
    const { bus, clock, made, pass, listen, stamps } = world({ sources: ['kite'], licences })
    const updates = listen('nifty')
    bus.request('nifty')
    await pass(1_000)
    made.get('kite')?.sinks.get('NSE:NIFTY 50')?.minute(candle(startMs), true)
    await pass(3 * minuteMs)
    await bus.extend('nifty', '1', clock.now())
    expect(updates.at(-1)?.condition.label).toMatchObject({ mode })
    const seen = [
      ...updates.flatMap(({ minutes }) => minutes.map(({ timeMs }) => timeMs + minuteMs)),
      ...(await stamps({ series: 'nifty', source: 'kite', step: '1m' })).map((timeMs) => timeMs + minuteMs),
      ...(await stamps({ series: 'nifty', source: 'kite', step: '1h' })).map((timeMs) => timeMs + 60 * minuteMs),
    ]
    expect(seen.length).toBeGreaterThan(0)
    if (delayMs > 0) for (const endMs of seen) expect(endMs).toBeLessThanOrEqual(clock.now() - delayMs)
    else expect(Math.max(...seen)).toBeGreaterThan(startMs - minuteMs)
  })

  it.each([
    ['twelve-data', 'cad-jpy', ''],
    ['kite', 'nifty', ''],
    ['kite', 'nifty', 'nse=licensed:NSE/1'],
    ['openalgo', 'sensex', 'bse=licensed:BSE/1,kite=licensed:K'],
    ['csv', 'es', 'nse=licensed:NSE/1'],
    ['yahoo', 'nifty', 'yahoo=licensed:Y'],
  ] as const)('of %s need every licence, and the chart says so: %s under %j', async (source, series, licences) => {
    const { bus, pass, listen } = world({ sources: [source], licences })
    const updates = listen(series)
    bus.request(series)
    await pass(3_000)
    expect(updates.at(-1)?.condition).toMatchObject({ source: null, reason: expect.stringContaining('licence') })
  })
})
