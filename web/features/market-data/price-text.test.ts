// Price and time formats of each market.
import { describe, expect, it } from 'vitest'
import { findInstrument, type Instrument } from '#shared/instruments/instruments.ts'
import { markText, momentText, priceText, roundedMark, volumeText } from './price-text.ts'

function instrumentOf(slug: string): Instrument {
  const instrument = findInstrument(slug)
  if (instrument === undefined) throw new Error(`no instrument ${slug}`)
  return instrument
}

describe('time axis label of grouped bars', () => {
  it.each([
    ['06:02', 4, '6:00 AM'],
    ['06:04', 4, '6:04 AM'],
    ['09:15', 4, '9:15 AM'],
    ['09:17', 8, '9:15 AM'],
    ['09:33', 32, '9:30 AM'],
    ['06:00', 0, '6:00 AM'],
    ['06:02', 0, '6:02 AM'],
  ])('at %s with groups of %i minutes reads %s', (time, minutes, text) => {
    expect(markText(roundedMark(Date.parse(`2026-11-20T${time}Z`), minutes * 60_000), 3)).toBe(text)
  })
})

describe('a price', () => {
  it.each([
    ['reliance', 123_456.7, '1,23,456.70'],
    ['nifty', 125_000, '1,25,000.00'],
    ['btc-usdt', 123_456.7, '123,456.70'],
    ['eur-usd', 1.1, '1.10000'],
    ['usd-jpy', 155.2, '155.200'],
    ['btc-usdt', -0.001, '0.00'],
    ['btc-usdt', -1, '\u22121.00'],
  ])('of %s at %d reads %s', (slug, value, text) => {
    expect(priceText(instrumentOf(slug)).price(value)).toBe(text)
  })

  it.each([
    [1.5, '+1.50'],
    [-1.5, '\u22121.50'],
    [0, '0.00'],
  ])('with a change of %d reads %s', (value, text) => {
    expect(priceText(instrumentOf('nifty')).change(value)).toBe(text)
  })
})

describe('other texts', () => {
  const noonMs = Date.parse('2026-11-20T12:05:00Z')

  it('abbreviate large volumes', () => {
    expect([12, 1_234, 2_500_000, -1_234].map(volumeText)).toEqual(['12', '1.23K', '2.5M', '\u22121.23K'])
  })

  it('show a time with its time of day, and a date without', () => {
    expect(momentText(noonMs, false)).toBe('Fri 20 Nov 2026  12:05 PM')
    expect(momentText(noonMs, true)).toBe('Fri 20 Nov 2026')
  })

  it('label the axis by the unit that changes', () => {
    expect([0, 1, 2, 3].map((weight) => markText(noonMs, weight))).toEqual(['2026', 'Nov', '20', '12:05 PM'])
  })
})
