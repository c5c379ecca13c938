// Price scale: prices by default, percents relative to the first visible bar.
import type { BarPrice } from 'lightweight-charts'
import { expect, test } from 'vitest'
import { findInstrument } from '#shared/instruments/instruments.ts'
import { barStore, plainBars } from './bar-store.ts'
import type { ChartOptions } from './chart-options.ts'
import { priceAxis } from './price-axis.ts'
import { priceText } from '#web/features/market-data/price-text.ts'

const nifty = findInstrument('nifty')

test('shows prices, percents of the first visible bar, and prices again, reformatting only on a change', () => {
  if (nifty === undefined) throw new Error('There is no nifty')
  const store = barStore()
  store.reset([200, 250].map((close, index) => [index * 60_000, close, close, close, close, null, null]))
  const prices: ChartOptions = { style: 'candles', scale: 'linear', colours: 'classic', hasBreaks: true, adjustment: 'splits' }
  const percents: ChartOptions = { ...prices, scale: 'percent' }
  const state = { options: prices }
  const axis = priceAxis({ text: priceText(nifty), tickSize: 0.05, model: { shown: plainBars(store) }, state })
  const textOf = (price: number) => axis.format.formatter(price as BarPrice)
  expect(axis.follow(0)).toBe(false)
  expect(textOf(250)).toBe('250.00')
  expect(axis.ticks()).toEqual([])
  expect(axis.format.tickmarksFormatter?.([200, 250] as BarPrice[])).toEqual(['200.00', '250.00'])
  expect(axis.ticks()).toEqual([200, 250])
  state.options = percents
  expect(axis.follow(undefined)).toBe(false)
  expect(textOf(250)).toBe('250.00')
  expect(axis.follow(-3)).toBe(true)
  expect([250, 200, 199].map(textOf)).toEqual(['+25.00%', '0.00%', '\u22120.50%'])
  expect(axis.follow(0)).toBe(false)
  expect(axis.follow(1)).toBe(true)
  expect(textOf(200)).toBe('\u221220.00%')
  state.options = prices
  expect(axis.follow(1)).toBe(true)
  expect(textOf(200)).toBe('200.00')
})
