// The visible time of a chart passes to the chart that replaces it.
import { expect, test } from 'vitest'
import { indexOfTime, timeOfIndex } from '#shared/drawings/mapping.ts'
import { findInstrument } from '#shared/instruments/instruments.ts'
import type { CandleRow } from '#shared/market-data/live/contract.ts'
import { ChartModel } from './chart-model.ts'
import { keptPlace, type Place } from './kept-place.ts'
import type { BarRange } from './view-window.ts'

const minuteMs = 60_000
const row = (minute: number): CandleRow => [minute * minuteMs, 10, 11, 9, 10, 1, null]

/** A chart with the bars of these minutes; the newest are visible. */
function chart(
  place: Place,
  [from, to]: readonly [number, number],
  reach: () => Promise<boolean> = () => Promise.resolve(true),
  slug = 'btc-usdt',
) {
  const instrument = findInstrument('btc-usdt')
  if (instrument === undefined) throw new Error('no instrument')
  const model = new ChartModel(instrument, '1', 'candles')
  model.reset(
    Array.from({ length: to - from }, (_, index) => row(from + index)),
    'crypto',
  )
  const times = () => ({ timeMs: model.shown.bars.timeMs, length: model.shown.bars.length, stepMs: minuteMs })
  const view = { range: { from: to - from - 100, to: to - from + 5 } as BarRange }
  const kept = keptPlace({
    slug,
    timeframe: '1',
    place,
    view: { inView: () => view.range, look: (first, last) => void (view.range = { from: first, to: last }) },
    widthPx: () => 600,
    model,
    surface: { indexOf: (timeMs) => indexOfTime(times(), timeMs), timeOf: (index) => timeOfIndex(times(), index) },
    reach,
  })
  return { kept, view, model }
}

/** The place saved by a chart of the minutes 0 to 1,000. */
async function placeOf(range: BarRange): Promise<Place> {
  const place: Place = { current: undefined }
  const { kept, view } = chart(place, [0, 1_000])
  await kept.restore()
  view.range = range
  kept.keep()
  return place
}

test('the next chart shows the same time to fractions of a bar, whichever bars it has', async () => {
  const place = await placeOf({ from: 600.25, to: 700.5 })
  const { kept, view } = chart(place, [500, 1_010])
  await kept.restore()
  expect(view.range).toEqual({ from: 100.25, to: 200.5 })
})

test('a view of the newest bar follows bars that came meanwhile', async () => {
  const place = await placeOf({ from: 949.5, to: 1_004 })
  const { kept, view } = chart(place, [0, 1_003])
  await kept.restore()
  expect(view.range).toEqual({ from: 952.5, to: 1_007 })
})

test('a chart whose older bars cannot be loaded stays at the newest, and saves its own place', async () => {
  const place = await placeOf({ from: 100, to: 200 })
  const { kept, view } = chart(place, [500, 1_000], () => Promise.resolve(false))
  await kept.restore()
  expect(view.range).toEqual({ from: 400, to: 505 })
  kept.keep()
  expect(place.current?.newest?.timeMs).toBe(999 * minuteMs)
})

test('a user who scrolls while older bars load is not moved', async () => {
  const place = await placeOf({ from: 100, to: 200 })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const { kept, view } = chart(place, [500, 1_000], () => promise)
  const restored = kept.restore()
  view.range = { from: 300, to: 400 }
  resolve(true)
  await restored
  expect(view.range).toEqual({ from: 300, to: 400 })
})

test('a chart that is unmounted before it is restored leaves the place to the next one', async () => {
  const place = await placeOf({ from: 100, to: 200 })
  const { kept } = chart(place, [500, 1_000], () => new Promise<boolean>(() => undefined))
  void kept.restore()
  kept.keep()
  const { kept: next, view } = chart(place, [0, 1_000])
  await next.restore()
  expect(view.range).toEqual({ from: 100, to: 200 })
})

test('a place that the user has not changed outlives the charts that show it', async () => {
  const place = await placeOf({ from: 600.25, to: 700.5 })
  const before = place.current
  const { kept, view } = chart(place, [0, 1_000], undefined, 'eth-usdt')
  await kept.restore()
  expect(view.range).toEqual({ from: 600.25, to: 700.5 })
  kept.keep()
  expect(place.current).toBe(before)
  view.range = { from: 600.25, to: 720.5 }
  kept.keep()
  expect(place.current).toMatchObject({ slug: 'eth-usdt', bars: 120.25 })
})

test('older bars are restored where the library shows others than the newest at first', async () => {
  const place = await placeOf({ from: 600.25, to: 700.5 })
  const { kept, view } = chart(place, [0, 1_000])
  view.range = { from: 300, to: 400 }
  await kept.restore()
  expect(view.range).toEqual({ from: 600.25, to: 700.5 })
})

test('a view of the newest bar is restored with the first bars, before anything else happens', async () => {
  const place = await placeOf({ from: 949.5, to: 1_004 })
  const { kept, view } = chart(place, [0, 1_000], () => new Promise<boolean>(() => undefined))
  void kept.restore()
  expect(view.range).toEqual({ from: 949.5, to: 1_004 })
})

test('bars that are replaced leave an older view at its time', () => {
  const { kept, view, model } = chart({ current: undefined }, [0, 1_000])
  view.range = { from: 400.25, to: 500.5 }
  const calls: string[] = []
  kept.hold(
    () => (calls.push('replace'), model.replace({ fromMs: 0, toMs: 300 * minuteMs }, [row(10), row(20)])),
    () => calls.push('draw'),
  )
  expect(calls).toEqual(['replace', 'draw'])
  expect(view.range).toEqual({ from: 102.25, to: 202.5 })
})

test('a view of the newest bar is left to the library, and equal bars are not drawn', () => {
  const { kept, view, model } = chart({ current: undefined }, [0, 1_000])
  view.range = { from: 950, to: 1_005 }
  const drawn: string[] = []
  kept.hold(
    () => model.replace({ fromMs: 999 * minuteMs, toMs: Infinity }, [row(999)]),
    () => drawn.push('equal'),
  )
  kept.hold(
    () => model.replace({ fromMs: 999 * minuteMs, toMs: Infinity }, [row(999), row(1_000)]),
    () => drawn.push('more'),
  )
  expect(drawn).toEqual(['more'])
  expect(view.range).toEqual({ from: 950, to: 1_005 })
})
