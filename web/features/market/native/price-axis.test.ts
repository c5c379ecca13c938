// The axis of the price: prices until percents are wanted, percents from the first bar that can be seen.
import type { BarPrice, PriceFormatCustom } from 'lightweight-charts'
import { expect, test } from 'vitest'
import { findInstrument } from '#shared/market/instruments.ts'
import { barStore } from './bar-store.ts'
import { priceAxis } from './price-axis.ts'
import { priceText } from './price-text.ts'

const nifty = findInstrument('nifty')

test('writes prices, percents of the first bar in view, and prices again, anew only where something has changed', () => {
  if (nifty === undefined) throw new Error('There is no nifty')
  const store = barStore()
  store.reset([200, 250].map((close, index) => [index * 60_000, close, close, close, close, null, null]))
  const written: PriceFormatCustom[] = []
  let isPercent = false
  const axis = priceAxis({
    text: priceText(nifty),
    tickSize: 0.05,
    bars: () => store.bars,
    isPercent: () => isPercent,
    rewrite: (format) => written.push(format),
  })
  const textOf = (price: number) => axis.format.formatter(price as BarPrice)
  axis.follow(0)
  expect(textOf(250)).toBe('250.00')
  isPercent = true
  axis.follow(undefined)
  expect(textOf(250)).toBe('250.00')
  expect(written).toHaveLength(0)
  axis.follow(-3)
  expect([250, 200, 199].map(textOf)).toEqual(['+25.00%', '0.00%', '\u22120.50%'])
  axis.follow(0)
  expect(written).toHaveLength(1)
  axis.follow(1)
  expect(textOf(200)).toBe('\u221220.00%')
  isPercent = false
  axis.follow(1)
  expect(textOf(200)).toBe('200.00')
  expect(written).toHaveLength(3)
})
