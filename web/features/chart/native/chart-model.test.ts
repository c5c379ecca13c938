// Reported changes of a merge: bar by bar where lightweight-charts can take it, else everything.
import { expect, it } from 'vitest'
import { minuteMs } from '#shared/base/durations.ts'
import { findInstrument } from '#shared/instruments/instruments.ts'
import type { CandleRow } from '#shared/market-data/live/contract.ts'
import { ChartModel } from './chart-model.ts'
import type { CandleStyle } from './chart-options.ts'

/** Calm minutes of one evening and the next morning, so that the brick size of 2 has been measured. */
const calm = Array.from({ length: 120 }, (_, at): CandleRow => [(at < 60 ? at : at + 1_440) * minuteMs, 100, 101, 99, 100, 1, null])
const formingMs = (119 + 1_440) * minuteMs

function modelOf(style: CandleStyle) {
  const nifty = findInstrument('nifty')
  if (nifty === undefined) throw new Error('The list of instruments lacks NIFTY')
  const model = new ChartModel(nifty, '1', style)
  model.reset(calm, 'crypto')
  return { model, price: (close: number) => model.merge([[formingMs, 100, Math.max(101, close), 99, close, 1, null]]) }
}

it('reports a candle as one bar', () => {
  const { price } = modelOf('candles')
  expect([price(108), price(112), price(112)]).toEqual([119, 119, 'none'])
})

it('reports bricks of a candle one by one only while no more than the last two change', () => {
  const { model, price } = modelOf('renko')
  expect([price(102), price(103), price(104)]).toEqual([0, 0, 0])
  expect(model.shown.bars.length).toBe(2)
  expect([price(110), price(110.5), price(104)]).toEqual([0, 'all', 'all'])
})

it('marks missing candles at the bar after each, also after older ones came, and none outside the loaded bars', () => {
  const { model } = modelOf('candles')
  const minute = (at: number) => at * minuteMs
  model.setMissing([minute(-9), minute(10.5), minute(10.7), minute(70), minute(9_999)])
  expect(model.missing).toEqual([11, 60])
  model.prepend([[minute(-2), 100, 101, 99, 100, 1, null]])
  expect(model.missing).toEqual([12, 61])
  model.setMissing([])
  expect(model.missing).toEqual([])
})
