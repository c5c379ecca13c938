// Where a jump to a date ends, and what it says.
import { expect, test } from 'vitest'
import { findInstrument } from '#shared/instruments/instruments.ts'
import type { CandleRow } from '#shared/market-data/live/contract.ts'
import { ChartModel } from './chart-model.ts'
import { goTo, mostBars } from './go-to.ts'

const minuteMs = 60_000
const row = (minute: number): CandleRow => [minute * minuteMs, 10, 11, 9, 10, 1, null]

/** A chart with 100 minutes from this one on. */
async function jump(firstMinute: number, toMinute: number, isReached: boolean, count = 100, isStopped = false) {
  const instrument = findInstrument('btc-usdt')
  if (instrument === undefined) throw new Error('no instrument')
  const model = new ChartModel(instrument, '1', 'candles')
  model.reset(
    Array.from({ length: count }, (_, at) => row(firstMinute + at)),
    'crypto',
  )
  let centre: number | undefined
  const asked: number[] = []
  const feed = { reach: (timeMs: number, most?: number) => (asked.push(timeMs, most ?? 0), Promise.resolve(isReached)), isStopped }
  const outcome = await goTo(toMinute * minuteMs, { feed, model, view: { centre: (index) => void (centre = index) } })
  expect(asked).toEqual([toMinute * minuteMs, mostBars])
  return { outcome, centre }
}

test.for([
  ['a bar in the history', 500, 540, true, { outcome: 'shown', centre: 40 }],
  ['a time without a bar, to the next one', 500, 540.5, true, { outcome: 'shown', centre: 41 }],
  ['the future, to the newest bar', 500, 900, true, { outcome: 'shown', centre: 100 }],
  ['a time before the history', 500, 10, true, { outcome: 'starts-later', centre: 0 }],
  ['a time whose bars cannot be loaded', 500, 10, false, { outcome: 'failed', centre: 0 }],
  ['a chart without bars', 500, 10, false, { outcome: 'failed', centre: undefined }, 0],
] as const)('%s', async ([, first, to, isReached, end, count]) => {
  expect(await jump(first, to, isReached, count)).toEqual(end)
})

test('more bars than one request may load', async () => {
  expect(await jump(500, 10, false, mostBars)).toMatchObject({ outcome: 'too-far' })
})

test('a chart that shows another series by then stays where it is', async () => {
  expect(await jump(500, 540, false, 100, true)).toEqual({ outcome: 'failed', centre: undefined })
})
