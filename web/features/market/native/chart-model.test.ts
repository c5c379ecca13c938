// What a chart is told of a merge: only what the drawing library can take bar by bar, and everything anew where it cannot.
import { expect, it } from 'vitest'
import { minuteMs } from '#shared/base/durations.ts'
import { findInstrument } from '#shared/market/instruments.ts'
import type { CandleRow } from '#shared/market/live.ts'
import { chartModel } from './chart-model.ts'
import type { CandleStyle } from './chart-options.ts'

/** Calm minutes of one evening and of the next morning, so that a brick of two has been measured. */
const calm = Array.from({ length: 120 }, (_, at): CandleRow => [(at < 60 ? at : at + 1_440) * minuteMs, 100, 101, 99, 100, 1, null])
const formingMs = (119 + 1_440) * minuteMs

function modelOf(style: CandleStyle) {
  const nifty = findInstrument('nifty')
  if (nifty === undefined) throw new Error('The list of instruments lacks NIFTY')
  const model = chartModel(nifty, '1', style)
  model.reset(calm, 'crypto')
  return { model, price: (close: number) => model.merge([[formingMs, 100, Math.max(101, close), 99, close, 1, null]]) }
}

it('tells a candle as one bar', () => {
  const { price } = modelOf('candles')
  expect([price(108), price(112), price(112)]).toEqual([119, 119, 'none'])
})

it('tells the bricks of a candle one by one only while no more than the last two of them change', () => {
  const { model, price } = modelOf('renko')
  expect([price(102), price(103), price(104)]).toEqual([0, 0, 0])
  expect(model.shown.bars.length).toBe(2)
  expect([price(110), price(110.5), price(104)]).toEqual([0, 'all', 'all'])
})
