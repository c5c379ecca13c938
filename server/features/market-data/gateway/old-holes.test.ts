// Databases of versions without coverage data: what the migration derives, and what repair requests.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { minutesBetween } from '#server/testing/candles.ts'
import { freshDatabase } from '#server/testing/database.ts'
import type { Database } from '#server/db/database.ts'
import { migrate } from '#server/db/migrate.ts'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { resample } from '#shared/candles/resample.ts'
import { isTradingMinute } from '#shared/candles/bucketer.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { stepMs, timeframeOfStep, type HistoryStep } from '../feed.ts'
import { manualClock } from '../feeds/testing/manual-clock.ts'
import { CandleHistory } from '../history/candle-history.ts'
import { databaseStore } from '../store/database-store.ts'
import { CandleCache } from '../store/candle-cache.ts'
import { memoryRejectedRows } from '../store/rejected-rows.ts'
import { HistoryFiller } from './history-filler.ts'

let database: Database
beforeAll(async () => {
  database = await freshDatabase()
})
beforeEach(async () => {
  await sql`drop schema public cascade`.execute(database.db)
  await sql`create schema public`.execute(database.db)
  await migrate(database, () => undefined, { last: 12 })
})
afterAll(() => database.close())

const nowMs = Date.parse('2026-11-20T06:10:00Z')

interface OldWorld {
  readonly sessionClass: SessionClass
  readonly steps: readonly HistoryStep[]
  readonly days: number
  readonly reachMs?: Readonly<Partial<Record<HistoryStep, number>>>
}

function oldWorld({ sessionClass, steps, days, reachMs }: OldWorld) {
  const clock = manualClock(nowMs)
  const series = 'btc-usdt'
  const minutes = minutesBetween(nowMs - days * dayMs, nowMs).filter(({ timeMs }) => isTradingMinute(sessionClass, timeMs))
  const truth = new Map(steps.map((step) => [step, resample(minutes, sessionClass, timeframeOfStep[step]).slice(1, -1)]))
  const asked: string[] = []
  const feed = {
    source: 'binance',
    steps,
    live: 'minutes',
    ...(reachMs && { reachMs }),
    history: ({ step, fromMs, toMs }: { step: HistoryStep; fromMs: number; toMs: number }) => {
      asked.push(`${step} ${new Date(fromMs).toISOString().slice(5, 16)} ${(toMs - fromMs) / stepMs[step]}`)
      const sinceMs = nowMs - (reachMs?.[step] ?? Infinity)
      return Promise.resolve((truth.get(step) ?? []).filter(({ timeMs }) => timeMs >= Math.max(fromMs, sinceMs) && timeMs < toMs))
    },
    watch: () => () => undefined,
    close: () => Promise.resolve(),
  } as const
  const store = databaseStore({ db: database.db, now: () => clock.now() })
  const label = { mode: 'live', source: 'binance', delayMinutes: 0, proxy: null } as const
  const newFiller = () =>
    new HistoryFiller({
      series,
      candidate: { feed, symbol: 'BTCUSDT', label, sessionClass },
      store,
      rejectedRows: memoryRejectedRows(() => nowMs),
      writer: { write: store.append.bind(store) },
      clock,
      signal: new AbortController().signal,
    })
  const filler = newFiller()
  const cached = new CandleCache(store, { now: () => nowMs, monotonic: () => clock.monotonic() })
  return {
    asked,
    filler,
    newFiller,
    truth: (step: HistoryStep): readonly Candle[] => truth.get(step) ?? [],
    minutes,
    coverage: async (step: HistoryStep) => (await store.coverage({ series, source: 'binance' }))[step],
    stored: (step: HistoryStep) => store.range({ series, source: 'binance', step }, { fromMs: 0, toMs: nowMs }),
    served: new CandleHistory({
      store: cached,
      demo: feed,
      delayMsOf: () => 0,
      extend: () => Promise.resolve(false),
      now: () => nowMs,
      monotonic: () => clock.monotonic(),
    }),
    series,
    /** Stores candles as earlier versions did, without coverage. */
    put: async (step: HistoryStep, isStored: (candle: Candle) => boolean, revision = 0) => {
      const rows = (truth.get(step) ?? []).filter(isStored)
      await sql`
        insert into candles (series, source, step, time, revision, open, high, low, close, volume, stored_at)
        select ${series}, 'binance', ${step}, time, ${revision}, 1, 200, 1, 1, 0, now()
        from unnest(${rows.map(({ timeMs }) => timeMs)}::bigint[]) as new (time)`.execute(database.db)
    },
    async repairAll() {
      let stretches = 0
      while (await filler.repair()) stretches += 1
      return stretches
    },
  }
}

const within = (fromMs: number, toMs: number) => (candle: Candle) => candle.timeMs >= fromMs && candle.timeMs < toMs
const except =
  (...spans: readonly (readonly [number, number])[]) =>
  (candle: Candle) =>
    !spans.some(([fromMs, toMs]) => within(fromMs, toMs)(candle))

test('consecutive candles are covered, but not the gaps, for each step and with corrections', async () => {
  const { truth, put, coverage } = oldWorld({ sessionClass: 'crypto', steps: ['1m', '1h', '1D'], days: 9 })
  const at = nowMs - (nowMs % dayMs) - 2 * dayMs
  await put('1m', except([at, at + 3 * minuteMs], [at + hourMs, at + 20 * hourMs]))
  await put('1m', within(at + 10 * minuteMs, at + 20 * minuteMs), 1)
  await put('1h', except([at, at + hourMs]))
  await put('1D', within(at - 3 * dayMs, at))
  await migrate(database, () => undefined)
  const [firstMs, lastMs] = [truth('1m')[0]?.timeMs ?? 0, truth('1m').at(-1)?.timeMs ?? 0]
  expect(await coverage('1m')).toEqual([
    { fromMs: firstMs, toMs: at },
    { fromMs: at + 3 * minuteMs, toMs: at + hourMs },
    { fromMs: at + 20 * hourMs, toMs: lastMs + minuteMs },
  ])
  expect(await coverage('1h')).toMatchObject([{ toMs: at }, { fromMs: at + hourMs }])
  expect(await coverage('1D')).toEqual([{ fromMs: at - 3 * dayMs, toMs: at }])
})

test('an empty database and a single candle', async () => {
  const { truth, put, coverage } = oldWorld({ sessionClass: 'crypto', steps: ['1m', '1h', '1D'], days: 3 })
  const timeMs = truth('1h')[4]?.timeMs ?? 0
  await put('1h', within(timeMs, timeMs + 1))
  await migrate(database, () => undefined)
  expect(await coverage('1m')).toBeUndefined()
  expect(await coverage('1h')).toEqual([{ fromMs: timeMs, toMs: timeMs + hourMs }])
})

test.for(['crypto', 'fx', 'nse-equity', 'nse-index', 'cme'] as const)(
  'old gaps of %s are requested once and filled, and every served candle is complete',
  async (sessionClass) => {
    const days = 40
    const world = oldWorld({ sessionClass, steps: ['1m', '1h', '1D'], days })
    const at = (back: number) => nowMs - back * dayMs
    await world.put('1m', except([at(2), at(1.9)], [at(9.2), at(7)], [at(20), at(20) + 15 * minuteMs]))
    await world.put('1h', except([at(8), at(3)], [at(30), at(29)]))
    await world.put('1D', except([at(9), at(7)], [at(25), at(3)]))
    await migrate(database, () => undefined)
    await world.repairAll()
    for (const step of world.filler.steps) {
      const timesOf = (candles: readonly Candle[]) => candles.map(({ timeMs }) => timeMs)
      expect({ step, times: timesOf(await world.stored(step)) }).toEqual({ step, times: timesOf(world.truth(step)) })
    }
    expect(new Set(world.asked).size).toBe(world.asked.length)
    for (const timeframe of ['1', '5', '60', '240', '1D', '1W'] as const) {
      const query = { series: world.series, source: 'binance', sessionClass, timeframe, toMs: nowMs, limit: 5_000 } as const
      const { candles } = await world.served.candles(query)
      const stamps = candles.map(({ timeMs }) => timeMs)
      const expected = resample(world.minutes, sessionClass, timeframe).map(({ timeMs }) => timeMs)
      expect({ timeframe, stamps: stamps.slice(0, -1) }).toEqual({
        timeframe,
        stamps: expected.filter((timeMs) => timeMs >= (stamps[0] ?? 0) && timeMs < (stamps.at(-1) ?? 0)),
      })
      expect(stamps.length).toBeGreaterThan(2)
    }
    const before = world.asked.length
    // Nothing is requested after a restart either.
    expect(await world.newFiller().repair()).toBe(false)
    expect(world.asked).toHaveLength(before)
  },
)

test('a long gap is requested in ranges, newest first, as far as the source reaches', async () => {
  const world = oldWorld({ sessionClass: 'crypto', steps: ['1m'], days: 30, reachMs: { '1m': 20 * dayMs } })
  await world.put('1m', except([nowMs - 28 * dayMs, nowMs - 6 * dayMs]))
  await migrate(database, () => undefined)
  expect(await world.repairAll()).toBe(4)
  expect(world.asked).toEqual(['1m 11-10T06:10 5760', '1m 11-06T06:10 5760', '1m 11-02T06:10 5760', '1m 10-31T06:10 2880'])
  expect(await world.coverage('1m')).toMatchObject([{ toMs: nowMs - 28 * dayMs }, { fromMs: nowMs - 20 * dayMs }])
})

test('adjacent gaps are requested together; a source without them is not asked again', async () => {
  const world = oldWorld({ sessionClass: 'crypto', steps: ['1m'], days: 5 })
  await world.put('1m', ({ timeMs }) => timeMs % (7 * minuteMs) !== 0)
  await migrate(database, () => undefined)
  expect(await world.repairAll()).toBeLessThanOrEqual(2)
  expect(await world.coverage('1m')).toHaveLength(1)
})
