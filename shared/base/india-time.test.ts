// Parsing and formatting of times in India.
import { describe, expect, it } from 'vitest'
import { indiaIsoDate, indiaDayStampMs, indiaTime, parseIndiaTime } from '#shared/base/india-time.ts'

const openMs = Date.UTC(2026, 10, 20, 3, 45)

describe('a timestamp in India', () => {
  it.each(['', 'tomorrow', '2026-11-20T09:15:00Z', '2026-11-20T09:15:00+0200', '2026-11-20 09:15', '2026-13-20', '20-11-2026'])(
    'is rejected in any other format: %j',
    (text) => {
      expect(parseIndiaTime(text)).toBeNaN()
    },
  )

  it.each(['2026-11-20T09:15:00+0530', '2026-11-20 09:15:00+05:30', '2026-11-20 09:15:00', '2026-11-20T09:15:00'])(
    'is read: %s',
    (text) => {
      expect(parseIndiaTime(text)).toBe(openMs)
    },
  )

  it('starts its day at midnight in India', () => {
    expect(parseIndiaTime('2026-11-20')).toBe(Date.UTC(2026, 10, 19, 18, 30))
  })

  it('is formatted and parsed back', () => {
    expect(indiaTime(openMs)).toBe('2026-11-20 09:15:00')
    expect(parseIndiaTime(indiaTime(openMs))).toBe(openMs)
  })
})

describe('a date in India', () => {
  it.each([
    [Date.UTC(2026, 10, 19, 18, 29, 59), '2026-11-19'],
    [Date.UTC(2026, 10, 19, 18, 30), '2026-11-20'],
    [Date.UTC(2026, 10, 20, 18, 29, 59), '2026-11-20'],
  ])('of %d is %s, and its candle is stamped 00:00 UTC', (ms, date) => {
    expect(indiaIsoDate(ms)).toBe(date)
    expect(indiaDayStampMs(ms)).toBe(Date.parse(`${date}T00:00:00Z`))
  })
})
