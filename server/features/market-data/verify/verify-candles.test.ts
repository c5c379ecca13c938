// Checks a whole database against scripted sources: findings, repairs, and what remains.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { minutesBetween } from '#server/testing/candles.ts'
import { emptyDatabase, freshDatabase } from '#server/testing/database.ts'
import type { Database } from '#server/db/database.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { resample } from '#shared/candles/resample.ts'
import { isTradingMinute } from '#shared/candles/bucketer.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import { leftOf, type VerifyReport } from '#shared/market-data/verify-report.ts'
import { FeedError, stepMs, timeframeOfStep, type Feed, type HistoryStep, type SourceName } from '../feed.ts'
import { manualClock } from '../feeds/testing/manual-clock.ts'
import { planSeries } from '../gateway/series-plan.ts'
import { parseLicences } from '../licences.ts'
import { databaseStore } from '../store/database-store.ts'
import { readStoredSeries, readVerifyReport, writeVerifyReport } from './repository.ts'
import { verifyCandles } from './verify-candles.ts'

let database: Database
beforeAll(async () => {
  database = await freshDatabase()
})
beforeEach(() => emptyDatabase(database))
afterAll(() => database.close())

const steps = ['1m', '1h', '1D'] as const

/** Returns correct candles, but none before `sinceMs`. */
function truthful(source: SourceName, truth: Truth, sinceMs: number): Feed & { readonly asked: number } {
  const state = { asked: 0 }
  return {
    source,
    steps,
    live: 'none',
    history({ step, fromMs, toMs }) {
      state.asked += 1
      return Promise.resolve(truth(step).filter(({ timeMs }) => timeMs >= Math.max(fromMs, sinceMs) && timeMs < toMs))
    },
    watch: () => () => undefined,
    close: () => Promise.resolve(),
    get asked() {
      return state.asked
    },
  }
}

type Truth = (step: HistoryStep) => readonly Candle[]

function truthOf(sessionClass: SessionClass, fromMs: number, toMs: number, change = (candle: Candle) => candle): Truth {
  const minutes = minutesBetween(fromMs, toMs)
    .filter(({ timeMs }) => isTradingMinute(sessionClass, timeMs))
    .map(change)
  const made = new Map(steps.map((step) => [step as HistoryStep, resample(minutes, sessionClass, timeframeOfStep[step])]))
  return (step) => made.get(step) ?? []
}

interface World {
  readonly series: string
  readonly source: SourceName
  readonly sessionClass: SessionClass
  readonly fromMs: number
  readonly toMs: number
  readonly change?: (candle: Candle) => Candle
  /** The source has lost everything before. */
  readonly sinceMs?: number
}

function world({ series, source, sessionClass, fromMs, toMs, change, sinceMs = 0 }: World) {
  const clock = manualClock(toMs + 2 * dayMs)
  const truth = truthOf(sessionClass, fromMs, toMs, change)
  const feed = truthful(source, truth, sinceMs)
  const licences = parseLicences('nse=licensed:N,kite=licensed:K')
  if (typeof licences === 'string') throw new Error(licences)
  const plans = { feeds: new Map([[source, feed]]), licences, demo: undefined, clock }
  const store = databaseStore({ db: database.db, now: () => clock.now() })
  const lines: string[] = []
  const keyOf = (step: HistoryStep) => ({ series, source, step })
  const verify = (isRepairing: boolean): Promise<VerifyReport> =>
    verifyCandles({
      db: database.db,
      store,
      planOf: isRepairing ? (name) => planSeries(plans, name, '2026-11-22') : undefined,
      clock,
      log: (line) => void lines.push(line),
      signal: new AbortController().signal,
    })
  /** Series that running servers are told of. */
  const replaced = () => database.db.selectFrom('candle_revisions').select(['series', 'source', 'revision']).execute()
  const stored = (step: HistoryStep) => store.range(keyOf(step), { fromMs: 0, toMs: Infinity })
  /** Stores a range of correct or modified candles. */
  const put = async (step: HistoryStep, span: { fromMs: number; toMs: number }, change = (candle: Candle) => candle) => {
    const candles = truth(step).filter(({ timeMs }) => timeMs >= span.fromMs && timeMs < span.toMs)
    await store.append(keyOf(step), candles.map(change), [span])
  }
  return { truth, feed, verify, stored, put, lines, replaced, fromMs, toMs }
}

const startMs = Date.parse('2026-11-16T00:00:00Z')
const bitcoin = { series: 'btc-usdt', source: 'binance', sessionClass: 'crypto', fromMs: startMs, toMs: startMs + 4 * dayMs } as const

const countsOf = ({ counts }: VerifyReport) =>
  Object.fromEntries(Object.entries(counts).flatMap(([kind, { found, left }]) => (found + left > 0 ? [[kind, [found, left]]] : [])))

test('a whole database without findings, and no source is called', async () => {
  const { put, verify, feed, truth } = world(bitcoin)
  for (const step of steps) await put(step, bitcoin)
  const report = await verify(true)
  expect(countsOf(report)).toEqual({})
  expect(report).toMatchObject({ series: 1, candles: steps.reduce((sum, step) => sum + truth(step).length, 0), left: [] })
  expect(feed.asked).toBe(0)
})

test('an empty database has no findings', async () => {
  expect(await world(bitcoin).verify(true)).toMatchObject({ series: 0, candles: 0, left: [] })
})

const hole = { fromMs: startMs + 30 * hourMs, toMs: startMs + 31 * hourMs + 15 * minuteMs }

async function withIssues(given: ReturnType<typeof world>): Promise<void> {
  await given.put('1D', given)
  await given.put('1h', given, (candle) =>
    candle.timeMs === startMs + 50 * hourMs ? { ...candle, high: candle.high + 9, volume: 1 } : candle,
  )
  await given.put('1m', { fromMs: given.fromMs, toMs: hole.fromMs })
  await given.put('1m', { fromMs: hole.toMs, toMs: given.toMs })
}

test('without repair gaps and contradictions are reported and nothing is changed', async () => {
  const given = world(bitcoin)
  await withIssues(given)
  const report = await given.verify(false)
  expect(countsOf(report)).toEqual({ hole: [1, 1], contradiction: [2, 2] })
  expect(report.left.map(({ step, kind, fromMs, toMs }) => [step, kind, (fromMs - startMs) / hourMs, (toMs - startMs) / hourMs])).toEqual([
    ['1m', 'hole', 30, 31.25],
    // The day contradicts its hours too.
    ['1D', 'contradiction', 48, 72],
    ['1h', 'contradiction', 50, 51],
  ])
  expect(given.feed.asked).toBe(0)
  expect(await given.replaced()).toEqual([])
  expect(report.hasRepaired).toBe(false)
})

test('data that the source still has is repaired, and noted once for open charts', async () => {
  const given = world(bitcoin)
  await withIssues(given)
  const report = await given.verify(true)
  expect(countsOf(report)).toEqual({ hole: [1, 0], contradiction: [2, 0] })
  expect(leftOf(report)).toBe(0)
  for (const step of steps) expect(await given.stored(step)).toEqual(given.truth(step))
  expect(countsOf(await given.verify(true))).toEqual({})
  expect(await given.replaced()).toEqual([{ series: 'btc-usdt', source: 'binance', revision: '1' }])
})

test('a contradiction that the source repeats or has lost remains, and is reported', async () => {
  const given = world({ ...bitcoin, sinceMs: startMs + 3 * dayMs })
  await withIssues(given)
  const { left } = await given.verify(true)
  expect(left.some(({ step, kind, fromMs }) => step === '1h' && kind === 'contradiction' && fromMs === startMs + 50 * hourMs)).toBe(true)
  // The gap was not filled, so the hour around it still contradicts its minutes.
  expect(left.some(({ step, fromMs }) => step === '1h' && fromMs === startMs + 30 * hourMs)).toBe(true)
})

test('without a licence or a source nothing is requested, and the log says why', async () => {
  const given = world({ ...bitcoin, series: 'sensex', source: 'kite', sessionClass: 'bse-index' })
  await given.put('1m', { fromMs: startMs, toMs: startMs + dayMs })
  await given.put('1m', { fromMs: startMs + 2 * dayMs, toMs: startMs + 3 * dayMs })
  const report = await given.verify(true)
  expect(countsOf(report)).toEqual({ hole: [1, 1] })
  expect(given.feed.asked).toBe(0)
  expect(given.lines.join('\n')).toContain('cannot be repaired')
})

test('a symbol that the source refuses is named as such, and other series are still checked', async () => {
  const given = world({ ...bitcoin, series: 'sensex', source: 'kite', sessionClass: 'bse-index' })
  const { db } = database
  const store = databaseStore({ db, now: () => 0 })
  await withIssues(given)
  await store.append({ series: 'tata-steel', source: 'kite', step: '1m' }, minutesBetween(startMs, startMs + hourMs))
  const refusing: Feed = { ...given.feed, history: () => Promise.reject(new FeedError('refused', 'Zerodha has no BSE:SENSEX')) }
  const licences = parseLicences('nse=licensed:N,bse=licensed:B,kite=licensed:K')
  if (typeof licences === 'string') throw new Error(licences)
  const plans = { feeds: new Map([['kite' as const, refusing]]), licences, demo: undefined, clock: manualClock(startMs + 9 * dayMs) }
  const report = await verifyCandles({
    db,
    store,
    planOf: (name) => planSeries(plans, name, '2026-11-22'),
    clock: plans.clock,
    log: (line) => void given.lines.push(line),
    signal: new AbortController().signal,
  })
  expect(given.lines.join('\n')).toContain('the source refuses BSE:SENSEX, which may be delisted: Zerodha has no BSE:SENSEX')
  expect(report).toMatchObject({ series: 2 })
})

const exMs = Date.parse('2024-10-28T00:00:00Z')
const flat = (candle: Candle, price: number, volume: number): Candle => ({
  ...candle,
  open: price,
  high: price,
  low: price,
  close: price,
  volume,
})
const divide = (candle: Candle, by: number): Candle => {
  const { open, high, low, close, volume } = candle
  return { ...candle, open: open / by, high: high / by, low: low / by, close: close / by, volume: (volume ?? 0) * by }
}

test('rows that were stored adjusted before an ex-date are found and stored again unadjusted', async () => {
  const traded = (candle: Candle) => (candle.timeMs < exMs ? flat(candle, 200, 10) : flat(candle, 100, 20))
  const given = world({
    series: 'reliance',
    source: 'kite',
    sessionClass: 'nse-equity',
    fromMs: exMs - 10 * dayMs,
    toMs: exMs + 5 * dayMs,
    change: traded,
  })
  Object.assign(given.feed, { splitHistory: 'restored' })
  await given.put('1D', given, (candle) => (candle.timeMs < exMs ? divide(candle, 2) : candle))
  const report = await given.verify(true)
  expect(countsOf(report)).toEqual({ 'adjusted-rows': [1, 0] })
  expect(await given.stored('1D')).toEqual(given.truth('1D'))
})

test('a jump that no action explains and the source confirms remains', async () => {
  const given = world({
    series: 'havells',
    source: 'kite',
    sessionClass: 'nse-equity',
    fromMs: startMs,
    toMs: startMs + 4 * dayMs,
    change: (candle) => flat(candle, candle.timeMs >= startMs + 2 * dayMs ? 20 : 100, 1),
  })
  await given.put('1D', given)
  const report = await given.verify(true)
  expect(countsOf(report)).toEqual({ 'unexplained-jump': [1, 1] })
  expect(report.left).toMatchObject([{ series: 'havells', source: 'kite', step: '1D', kind: 'unexplained-jump' }])
})

test('candles of a series unknown to this version are skipped', async () => {
  const given = world({ ...bitcoin, series: 'tesla' })
  await given.put('1m', { fromMs: startMs, toMs: startMs + hourMs })
  expect(await given.verify(true)).toMatchObject({ series: 0, left: [] })
  expect(given.lines.join('\n')).toContain('unknown to this version')
})

test('the last report is stored, and one of another version counts as none', async () => {
  const { db } = database
  expect(await readVerifyReport(db)).toBeNull()
  const report = await world(bitcoin).verify(true)
  await writeVerifyReport(db, report)
  await writeVerifyReport(db, { ...report, series: 7 })
  expect(await readVerifyReport(db)).toEqual({ ...report, series: 7 })
  await db.updateTable('candle_verification').set({ report: '{"v":9}' }).execute()
  expect(await readVerifyReport(db)).toBeNull()
})

test('every stored pair of series and source is found once', async () => {
  const store = databaseStore({ db: database.db, now: () => 0 })
  const candles = minutesBetween(startMs, startMs + 5 * minuteMs)
  for (const series of ['eur-usd', 'btc-usdt', 'nifty'])
    for (const source of ['kite', 'binance'] as const)
      for (const step of ['1m', '1h'] as const)
        await store.append(
          { series, source, step },
          candles.filter(({ timeMs }) => timeMs % stepMs[step] === 0),
        )
  expect(await readStoredSeries(database.db)).toEqual(
    ['btc-usdt', 'eur-usd', 'nifty'].flatMap((series) => ['binance', 'kite'].map((source) => ({ series, source }))),
  )
})
