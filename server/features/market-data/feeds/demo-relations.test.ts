// Generated prices of related instruments agree.
import { expect, test } from 'vitest'
import { dayMs } from '#shared/base/durations.ts'
import { demoMarketOf } from './testing/demo-market-of.ts'

const nowMs = Date.parse('2026-11-21T08:00:00Z')

/** Closes of the minutes of five days. */
const closesOf = (series: string) =>
  demoMarketOf(series)
    .candles('1m', nowMs - 5 * dayMs, nowMs)
    .map(({ close }) => close)
const product = (one: readonly number[], other: readonly number[]) => one.map((price, at) => price * (other[at] ?? 0))
const ratio = (one: readonly number[], other: readonly number[]) => one.map((price, at) => price / (other[at] ?? 1))

test.for([
  ['eur-gbp', () => ratio(closesOf('eur-usd'), closesOf('gbp-usd')), 0.004],
  ['cad-jpy', () => ratio(closesOf('usd-jpy'), closesOf('usd-cad')), 0.004],
  ['gbp-jpy', () => product(closesOf('gbp-usd'), closesOf('usd-jpy')), 0.004],
  ['eur-jpy', () => product(closesOf('eur-usd'), closesOf('usd-jpy')), 0.004],
  ['btc-usd', () => closesOf('btc-usdt'), 0.004],
  ['gold-future', () => closesOf('xau-usd').map((price) => 1.005 * price), 0.006],
  ['sensex', () => closesOf('nifty').map((price) => 3.3125 * price), 0.02],
] as const)('%s stays within the usual distance of those it follows', ([series, expected, most]) => {
  const off = ratio(closesOf(series), expected()).map((quotient) => Math.abs(quotient - 1))
  expect(Math.max(...off)).toBeLessThan(most)
})
