// Coverage of a file: a gap inside trading hours is a gap, and no candle around it is served; closed hours are not.
import { expect, test } from 'vitest'
import { listStore, minutesBetween } from '#server/testing/candles.ts'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { resample } from '#shared/candles/resample.ts'
import { isTradingMinute } from '#shared/candles/bucketer.ts'
import type { Feed } from '../feed.ts'
import { manualClock } from '../feeds/testing/manual-clock.ts'
import { CandleHistory } from '../history/candle-history.ts'
import { HistoryFiller } from '../gateway/history-filler.ts'
import { CandleCache } from './candle-cache.ts'
import { memoryRejectedRows } from './rejected-rows.ts'
import { storeFile } from './store-file.ts'

const at = (wallTime: string) => Date.parse(`${wallTime}+05:30`)
const nowMs = at('2026-11-20T15:45')
const minutes = minutesBetween(at('2026-11-16T09:15'), at('2026-11-20T15:30'))
  .filter(({ timeMs }) => isTradingMinute('nse-index', timeMs))
  .map((minute) => ({ ...minute, volume: null }))
const gap = { fromMs: at('2026-11-18T11:02'), toMs: at('2026-11-18T11:04') }
const withGap = minutes.filter(({ timeMs }) => timeMs < gap.fromMs || timeMs >= gap.toMs)

const fileFeed: Feed = {
  source: 'csv',
  steps: ['1m', '1h', '1D'],
  live: 'none',
  history: ({ step, fromMs, toMs }) =>
    Promise.resolve(step === '1m' ? withGap.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs) : []),
  watch: () => () => undefined,
  close: () => Promise.resolve(),
}

function world() {
  const clock = manualClock(nowMs)
  const behind = listStore(() => nowMs)
  const store = new CandleCache(behind, { now: () => nowMs, monotonic: () => clock.monotonic() })
  const label = { mode: 'live', source: 'csv', delayMinutes: 0, proxy: null } as const
  const candidate = { feed: fileFeed, symbol: 'nifty', label, sessionClass: 'nse-index' } as const
  const signal = new AbortController().signal
  const filler = new HistoryFiller({
    series: 'nifty',
    candidate,
    store,
    rejectedRows: memoryRejectedRows(() => nowMs),
    writer: { write: store.append.bind(store) },
    clock,
    signal,
  })
  const history = new CandleHistory({
    store,
    demo: fileFeed,
    delayMsOf: () => 0,
    extend: () => Promise.resolve(false),
    now: () => nowMs,
    monotonic: () => clock.monotonic(),
  })
  const served = async (timeframe: '1' | '5' | '60' | '1D') => {
    const wanted = { series: 'nifty', source: 'csv', sessionClass: 'nse-index', timeframe, toMs: nowMs + dayMs, limit: 5_000 } as const
    return (await history.candles(wanted)).candles
  }
  return { store, filler, served, coverage: async () => (await behind.coverage({ series: 'nifty', source: 'csv' }))['1m'] }
}

test('a file without a gap is covered from its first row to its last, across nights', async () => {
  const { store, coverage } = world()
  expect(await storeFile({ store, series: 'nifty', step: '1m', candles: minutes })).toEqual([])
  expect(await coverage()).toEqual([{ fromMs: at('2026-11-16T09:15'), toMs: at('2026-11-20T15:30') }])
})

test('a gap inside trading hours is a gap, and longer candles around it are left out', async () => {
  const { store, coverage, served } = world()
  expect(await storeFile({ store, series: 'nifty', step: '1m', candles: withGap })).toEqual([gap])
  expect(await coverage()).toHaveLength(2)
  expect(await served('1')).toEqual(withGap)
  const isWhole = ({ timeMs }: { timeMs: number }) => timeMs + 5 * minuteMs <= gap.fromMs || timeMs >= gap.toMs
  expect(await served('5')).toEqual(resample(minutes, 'nse-index', '5').filter(isWhole))
  const hours = (await served('60')).map(({ timeMs }) => timeMs)
  expect(hours).toContain(at('2026-11-18T11:15'))
  expect(hours).not.toContain(at('2026-11-18T10:15'))
  expect((await served('1D')).map(({ timeMs }) => timeMs)).not.toContain(Date.parse('2026-11-18'))
})

test('the folder feed, which has the same gap, does not claim that the market was quiet', async () => {
  const { store, filler, coverage } = world()
  await storeFile({ store, series: 'nifty', step: '1m', candles: withGap })
  for (let turn = 0; turn < 5; turn += 1) await filler.repair()
  expect(await filler.repair()).toBe(false)
  expect(await coverage()).toHaveLength(2)
})

test('history continues before the gap', async () => {
  const { filler, served } = world()
  await filler.refresh('1m')
  for (let turn = 0; turn < 5; turn += 1) await filler.extend('1', at('2026-11-16T09:15'))
  expect(await served('1')).toEqual(withGap)
})

test('without a holiday list, a day without any row is one, and a part of a day is missing', async () => {
  const { store } = world()
  const old = minutesBetween(at('2009-03-09T09:15'), at('2009-03-13T15:30')).filter(({ timeMs }) => isTradingMinute('nse-index', timeMs))
  const holiday = old.filter(({ timeMs }) => timeMs < at('2009-03-11T00:00') || timeMs >= at('2009-03-12T00:00'))
  expect(await storeFile({ store, series: 'nifty', step: '1m', candles: holiday })).toEqual([])
  const morning = { fromMs: at('2009-03-11T00:00'), toMs: at('2009-03-11T12:00') }
  const late = old.filter(({ timeMs }) => timeMs < morning.fromMs || timeMs >= morning.toMs)
  expect(await storeFile({ store, series: 'nifty', step: '1m', candles: late })).toHaveLength(1)
})

test('a file may have some of the values after the last trades of an index', async () => {
  const { store } = world()
  const late = minutesBetween(at('2026-11-16T09:15'), at('2026-11-18T15:35'))
    .filter(({ timeMs }) => isTradingMinute('nse-index', timeMs))
    .filter(({ timeMs }) => timeMs % dayMs !== at('2026-11-16T15:32') % dayMs && timeMs % dayMs !== at('2026-11-16T15:34') % dayMs)
  expect(await storeFile({ store, series: 'nifty', step: '1m', candles: late })).toEqual([])
})

test('hours and days in a file are consecutive across closures too', async () => {
  const { store } = world()
  const hours = resample(minutes, 'nse-index', '60')
  const days = resample(minutes, 'nse-index', '1D')
  expect(await storeFile({ store, series: 'nifty', step: '1h', candles: hours })).toEqual([])
  expect(await storeFile({ store, series: 'nifty', step: '1D', candles: days })).toEqual([])
  expect(await storeFile({ store, series: 'nifty', step: '1h', candles: hours.filter((_, index) => index !== 3) })).toEqual([
    { fromMs: hours[3]?.timeMs, toMs: (hours[3]?.timeMs ?? 0) + hourMs },
  ])
  expect(await storeFile({ store, series: 'nifty', step: '1D', candles: days.filter((_, index) => index !== 2) })).toHaveLength(1)
})
