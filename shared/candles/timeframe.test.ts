// Timeframe labels and address codes.
import { describe, expect, it } from 'vitest'
import { isDailyOrLonger, knownTimeframes, parseTimeframe, timeframeLabel, timeframes } from './timeframe.ts'

describe('timeframe labels', () => {
  it.each([
    ['1', '1m'],
    ['3', '3m'],
    ['5', '5m'],
    ['15', '15m'],
    ['30', '30m'],
    ['60', '1h'],
    ['120', '2h'],
    ['240', '4h'],
    ['1D', '1D'],
    ['1W', '1W'],
    ['1M', '1M'],
  ])('%s is %s', (code, label) => {
    expect(timeframeLabel(code)).toBe(label)
  })

  it.each([
    ['45', '240', '4h'],
    ['45', '1D', '1D'],
    ['45', 'also unknown', '1m'],
    ['45', undefined, '1m'],
    ['', '5', '5m'],
    ['constructor', '5', '5m'],
  ])('the unknown code %j with the current %j is %s', (code, current, label) => {
    expect(timeframeLabel(code, current)).toBe(label)
  })

  it('are offered in the order 1m to 1D', () => {
    expect(timeframes.map((code) => timeframeLabel(code))).toEqual(['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '1D'])
  })
})

describe('a timeframe in an address', () => {
  it.each([
    ['240', '240'],
    ['1W', '1W'],
    ['1d', '1'],
    ['7', '1'],
    ['', '1'],
    ['toString', '1'],
    [null, '1'],
    [undefined, '1'],
  ])('%j is parsed as %s', (code, timeframe) => {
    expect(parseTimeframe(code)).toBe(timeframe)
  })
})

it('1D, 1W and 1M last a trading day or longer', () => {
  expect(knownTimeframes.filter((code) => isDailyOrLonger(code))).toEqual(['1D', '1W', '1M'])
})
