// Countdown by timeframe, instant and zone, and properties that always hold.
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { hourMs } from '../base/durations.ts'
import { countdown } from './countdown.ts'
import { knownTimeframes } from './timeframe.ts'

const india = 'Asia/Kolkata'
const newYork = 'America/New_York'
const london = 'Europe/London'

const rows: readonly (readonly [why: string, timeframe: string, now: string, zone: string, text: string])[] = [
  ['in the middle of a minute', '1', '2026-11-21T10:00:42Z', india, '00:18'],
  ['on the boundary a whole candle lies ahead', '1', '2026-11-21T10:01:00Z', india, '01:00'],
  ['one millisecond before the boundary', '1', '2026-11-21T10:00:59.999Z', india, '00:01'],
  ['part of a second counts as a second', '1', '2026-11-21T10:00:42.500Z', india, '00:18'],
  ['3 minutes', '3', '2026-11-21T10:04:00Z', india, '02:00'],
  ['5 minutes', '5', '2026-11-21T10:04:59Z', india, '00:01'],
  ['15 minutes', '15', '2026-11-21T10:46:30Z', india, '13:30'],
  ['30 minutes, where +05:30 turns the half hours around', '30', '2026-11-21T10:10:00Z', india, '20:00'],
  ['30 minutes on the boundary', '30', '2026-11-21T10:30:00Z', india, '30:00'],
  ['30 minutes in a zone of +05:45', '30', '2026-11-21T10:00:00Z', 'Asia/Kathmandu', '15:00'],
  ['an hour of the Indian clock ends at half past in UTC', '60', '2026-11-21T10:10:00Z', india, '00:20:00'],
  ['an hour on the boundary', '60', '2026-11-21T10:30:00Z', india, '01:00:00'],
  ['2 hours: 15:40 runs to 16:00', '120', '2026-11-21T10:10:00Z', india, '00:20:00'],
  ['2 hours: 16:40 runs to 18:00', '120', '2026-11-21T11:10:00Z', india, '01:20:00'],
  ['4 hours: 16:00 runs to 20:00', '240', '2026-11-21T10:30:00Z', india, '04:00:00'],
  ['4 hours end at midnight', '240', '2026-11-21T18:29:59Z', india, '00:00:01'],
  ['a day just before midnight', '1D', '2026-11-21T18:29:59Z', india, '00:00:01'],
  ['a day at midnight', '1D', '2026-11-21T18:30:00Z', india, '24:00:00'],
  ['a day in UTC', '1D', '2026-11-21T18:30:00Z', 'UTC', '05:30:00'],
  ['the last day of a month', '1D', '2026-11-30T12:00:00Z', 'UTC', '12:00:00'],
  ['the last day of February in a leap year', '1D', '2028-02-29T23:00:00Z', 'UTC', '01:00:00'],
  ['the last second of a year', '1D', '2026-12-31T23:59:59Z', 'UTC', '00:00:01'],
  ['a minute over the end of a year', '1', '2026-12-31T18:29:30Z', india, '00:30'],
  ['a week runs to midnight seven days ahead', '1W', '2026-11-21T10:30:00Z', india, '6d 08:00:00'],
  ['a week at midnight', '1W', '2026-11-21T18:30:00Z', india, '7d 00:00:00'],
  ['a month counts like a week', '1M', '2026-11-21T10:30:00Z', india, '6d 08:00:00'],
  ['a month over its end', '1M', '2026-11-28T12:00:00Z', 'UTC', '6d 12:00:00'],
  ['a week over the end of a year', '1W', '2026-12-30T00:00:01Z', 'UTC', '6d 23:59:59'],
  ['New York loses an hour: the hour before is an hour', '60', '2026-03-08T06:30:00Z', newYork, '00:30:00'],
  ['New York loses an hour: 4 hours from midnight are 3', '240', '2026-03-08T05:00:00Z', newYork, '03:00:00'],
  ['New York loses an hour: its day has 23', '1D', '2026-03-08T05:00:00Z', newYork, '23:00:00'],
  ['New York gains an hour: 01:30 the first time', '60', '2026-11-01T05:30:00Z', newYork, '00:30:00'],
  ['New York gains an hour: a minute stays a minute', '1', '2026-11-01T05:59:30Z', newYork, '00:30'],
  ['New York gains an hour: 2 hours from 00:00 are 3', '120', '2026-11-01T04:00:00Z', newYork, '03:00:00'],
  ['New York gains an hour: its day has 25', '1D', '2026-11-01T04:00:00Z', newYork, '25:00:00'],
  ['London loses an hour: its day has 23', '1D', '2026-03-29T00:00:00Z', london, '23:00:00'],
  ['London loses an hour: 2 hours from midnight are 1', '120', '2026-03-29T00:00:00Z', london, '01:00:00'],
  ['London gains an hour: its day has 25', '1D', '2026-10-24T23:00:00Z', london, '25:00:00'],
  ['London gains an hour: the week has one hour more', '1W', '2026-10-24T23:00:00Z', london, '7d 01:00:00'],
  ['Havana gains an hour at midnight: the second 00:30 runs to 02:00', '120', '2026-11-01T05:30:00Z', 'America/Havana', '01:30:00'],
  ['Beirut skips midnight: its day starts at 01:00', '1D', '2026-03-28T21:00:00Z', 'Asia/Beirut', '01:00:00'],
  ['an unknown code counts like 1', '7', '2026-11-21T10:00:42Z', india, '00:18'],
  ['an empty code counts like 1', '', '2026-11-21T10:00:42Z', india, '00:18'],
]

describe('countdown', () => {
  it.each(rows)('%s [spec 9.8]', (_why, timeframe, now, zone, text) => {
    expect(countdown(timeframe, Date.parse(now), zone).text).toBe(text)
  })

  const maxMs: Readonly<Record<(typeof knownTimeframes)[number], number>> = {
    '1': hourMs / 60,
    '3': hourMs / 20,
    '5': hourMs / 12,
    '15': hourMs / 4,
    '30': hourMs / 2,
    '60': hourMs,
    '120': 3 * hourMs,
    '240': 5 * hourMs,
    '1D': 25 * hourMs,
    '1W': 169 * hourMs,
    '1M': 169 * hourMs,
  }
  const zones = fc.constantFrom(india, newYork, london, 'UTC', 'Asia/Kathmandu', 'America/Havana', 'Australia/Lord_Howe', 'Asia/Beirut')
  const instants = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2040-01-01') })

  it('is always above zero and never longer than its candle', async () => {
    await assertProperty(
      fc.property(fc.constantFrom(...knownTimeframes), instants, zones, (timeframe, nowMs, zone) => {
        const { remainingMs } = countdown(timeframe, nowMs, zone)
        expect(remainingMs).toBeGreaterThan(0)
        expect(remainingMs).toBeLessThanOrEqual(maxMs[timeframe])
      }),
      { numRuns: 2000 },
    )
  })

  it('always has the same width', async () => {
    await assertProperty(
      fc.property(fc.constantFrom(...knownTimeframes), instants, instants, zones, (timeframe, first, second, zone) => {
        expect(countdown(timeframe, first, zone).text).toHaveLength(countdown(timeframe, second, zone).text.length)
      }),
      { numRuns: 500 },
    )
  })
})
