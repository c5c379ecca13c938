// A source with minutes only, such as an imported file: longer candles reach back as far as the minutes, and none is truncated.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listStore, minutesBetween, wholeCandlesOf } from '#server/testing/candles.ts'
import { dayMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import { isTradingMinute } from '#shared/candles/bucketer.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import { csvFeed } from '../feeds/csv-feed.ts'
import { manualClock, settle } from '../feeds/testing/manual-clock.ts'
import { memoryChecks } from '../gateway/check-adjustment.ts'
import { memoryRejectedRows } from '../store/rejected-rows.ts'
import { memoryBus } from '../gateway/market-bus.ts'
import { startHub } from '../gateway/hub.ts'
import { planSeries } from '../gateway/series-plan.ts'
import { parseLicences } from '../licences.ts'
import { CandleCache } from '../store/candle-cache.ts'
import { CandleHistory } from './candle-history.ts'

const nowMs = Date.parse('2026-11-20T12:00+05:30')
const [series, sessionClass] = ['nifty', 'nse-index'] as const
const timeframes = ['60', '120', '240', '1D', '1W', '1M'] as const

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'tezi-minutes-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

/** A hub whose only source is a file of these minutes, and the history for pages. */
async function world(minutes: readonly Candle[]) {
  const rows = minutes.map(({ timeMs, open, high, low, close }) => [timeMs, open, high, low, close].join())
  await writeFile(path.join(dir, `${series}.1m.csv`), ['time,open,high,low,close', ...rows].join('\n'))
  const clock = manualClock(nowMs)
  const licences = parseLicences('nse=licensed:N')
  if (typeof licences === 'string') throw new Error(licences)
  const feed = csvFeed({ dir, clock })
  const plans = { feeds: new Map([['csv', feed] as const]), licences, demo: undefined, clock }
  const { bus, hub } = memoryBus()
  const now = () => clock.now()
  const monotonic = () => clock.monotonic()
  const store = new CandleCache(listStore(now), { now, monotonic })
  const running = startHub({
    bus: hub,
    store,
    checks: memoryChecks(),
    rejectedRows: memoryRejectedRows(() => clock.now()),
    planOf: (key) => planSeries(plans, key, '2026-11-20'),
    clock,
    log: () => undefined,
    newEpoch: () => crypto.randomUUID(),
  })
  const history = new CandleHistory({
    store,
    demo: feed,
    delayMsOf: () => 0,
    extend: (key, timeframe, beforeMs) => bus.extend(key, timeframe, beforeMs),
    now,
    monotonic,
  })
  bus.request(series)
  while ((await bus.state(series))?.condition.source !== 'csv') {
    clock.advance(1_000)
    await settle([clock.activity])
  }
  const page = (timeframe: Timeframe, toMs: number) => history.candles({ series, source: 'csv', sessionClass, timeframe, toMs, limit: 300 })
  /** Page by page, like a chart that is scrolled back to its end. */
  async function all(timeframe: Timeframe): Promise<Candle[]> {
    const found: Candle[] = []
    for (let [toMs, hasOlder] = [nowMs + dayMs, true]; hasOlder; toMs = found[0]?.timeMs ?? 0) {
      const { candles, hasOlder: isMore } = await page(timeframe, toMs)
      found.unshift(...candles)
      hasOlder = isMore && candles.length > 0
    }
    return found
  }
  return { page, all, close: () => running.close() }
}

test.each([
  ['that ends in this week', '2026-11-19T15:30+05:30'],
  ['that ended in the middle of a session', '2026-11-11T11:20+05:30'],
  ['that ended months ago', '2026-08-11T11:20+05:30'],
])('a file of minutes %s yields all longer candles, only complete ones, in any request order', async (_name, end) => {
  const isOld = end < '2026-11'
  const fromMs = Date.parse('2026-06-17T11:07+05:30')
  const toMs = Date.parse(end)
  const minutes = minutesBetween(fromMs, toMs)
    .filter(({ timeMs }) => isTradingMinute(sessionClass, timeMs))
    .map((minute) => ({ ...minute, volume: null }))
  const { page, all, close } = await world(minutes)
  const expected = new Map(
    timeframes.map((timeframe) => [timeframe, wholeCandlesOf(minutes, { sessionClass, timeframe, covered: [{ fromMs, toMs }], nowMs })]),
  )
  // One request for minutes finds none if the file ended long ago.
  if (isOld) expect(await all('1')).toEqual(minutes)
  for (const timeframe of timeframes) {
    // The first response may be short, but is never wrong.
    const first = (await page(timeframe, nowMs + dayMs)).candles
    expect({ timeframe, first }).toEqual({ timeframe, first: first.length === 0 ? [] : expected.get(timeframe)?.slice(-first.length) })
    expect({ timeframe, candles: await all(timeframe) }).toEqual({ timeframe, candles: expected.get(timeframe) })
  }
  expect(expected.get('1M')?.[0]?.timeMs).toBe(Date.parse('2026-07-01'))
  expect(await all('1')).toEqual(minutes)
  for (const timeframe of timeframes)
    expect({ timeframe, candles: await all(timeframe) }).toEqual({ timeframe, candles: expected.get(timeframe) })
  await close()
})
