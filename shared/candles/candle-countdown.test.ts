// Countdown of the header by class, timeframe and instant, and properties that always hold.
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { knownTimeframes, type Timeframe } from './timeframe.ts'
import { bucketOf } from './bucketer.ts'
import { candleCountdown, countdown } from './candle-countdown.ts'
import { sessionClasses, type SessionClass } from '#shared/trading-hours/session-class.ts'
import { hourMs } from '../base/durations.ts'

const india = 'Asia/Kolkata'
const textAt = (sessionClass: SessionClass, timeframe: Timeframe, at: string, zone = india) =>
  candleCountdown(sessionClass, timeframe, { nowMs: Date.parse(at), zone }).text

describe('outside trading hours', () => {
  const rows: readonly (readonly [why: string, SessionClass, at: string, zone: string, text: string])[] = [
    ['over a weekend', 'nse-equity', '2026-11-21T12:00+05:30', india, 'Market opens Mon 9:15 AM'],
    ['over a holiday', 'nse-index', '2026-11-23T15:35+05:30', india, 'Market opens Wed 9:15 AM'],
    ['to Muhurat', 'nse-index', '2026-11-06T20:00+05:30', india, 'Market opens Sun 6:00 PM'],
    ['an hour before', 'nse-index', '2026-11-23T08:15+05:30', india, 'Market opens Mon 9:15 AM'],
    ['less than a second closer', 'nse-index', '2026-11-23T08:15:00.500+05:30', india, 'Market opens Mon 9:15 AM'],
    ['in the last hour', 'nse-index', '2026-11-23T08:15:01+05:30', india, 'Market opens in 59:59'],
    ['in the last second', 'nse-index', '2026-11-23T09:14:59.001+05:30', india, 'Market opens in 00:01'],
    ['in India for a market of New York, in winter', 'fx', '2026-11-21T12:00+05:30', india, 'Market opens Mon 3:30 AM'],
    ['in India for a market of New York, in summer', 'fx', '2026-06-20T12:00+05:30', india, 'Market opens Mon 2:30 AM'],
    ['in London for a market of New York', 'fx', '2026-11-21T12:00Z', 'Europe/London', 'Market opens Sun 10:00 PM'],
    ['when the calendar has run out', 'nse-index', '2027-01-02T10:00+05:30', india, 'Market closed'],
  ]

  it.each(rows)('every timeframe shows the opening %s', (_why, sessionClass, at, zone, text) => {
    for (const timeframe of knownTimeframes) expect(textAt(sessionClass, timeframe, at, zone)).toBe(text)
  })

  it('names the holiday on which the market is closed', () => {
    const state = candleCountdown('nse-index', '1', { nowMs: Date.parse('2026-11-24T12:00+05:30'), zone: india })
    expect(state).toEqual({
      kind: 'closed',
      opensAtMs: Date.parse('2026-11-25T09:15+05:30'),
      reason: 'Guru Nanak Jayanti',
      text: 'Market opens Wed 9:15 AM',
    })
  })
})

describe('in trading hours', () => {
  const rows: readonly (readonly [why: string, SessionClass, Timeframe, at: string, text: string])[] = [
    ['a minute on its boundary', 'nse-index', '1', '2026-11-23T09:15+05:30', '01:00'],
    ['a minute in its last millisecond', 'nse-index', '1', '2026-11-23T09:15:59.999+05:30', '00:01'],
    ['half an hour counts from the open', 'nse-index', '30', '2026-11-23T10:00+05:30', '15:00'],
    ['an hour counts from the open', 'nse-index', '60', '2026-11-23T10:00+05:30', '00:15:00'],
    ['the last hour is short', 'nse-index', '60', '2026-11-23T15:20+05:30', '00:15:00'],
    ['4 hours end with the session', 'nse-index', '240', '2026-11-23T13:15+05:30', '02:20:00'],
    ['a day ends with the session', 'nse-index', '1D', '2026-11-23T09:15+05:30', '06:20:00'],
    ['4 hours end where a Globex holiday halts', 'cme', '240', '2026-11-26T16:00Z', '02:00:00'],
    ['a day over a Globex holiday ends with its trade date', 'cme', '1D', '2026-11-26T16:15Z', '26:00:00'],
    ['a week ends with the next one', 'nse-index', '1W', '2026-11-27T15:29+05:30', '2d 17:46:00'],
    ['a week before a holiday on Monday ends on Tuesday', 'nse-index', '1W', '2026-01-23T09:15+05:30', '4d 00:00:00'],
    ['a month ends with the first session of the next', 'nse-index', '1M', '2026-11-23T09:15+05:30', '8d 00:00:00'],
    ['a month before a Sunday session', 'nse-index', '1M', '2026-01-30T09:15+05:30', '2d 00:00:00'],
    ['the last month of the calendar', 'nse-index', '1M', '2026-12-31T09:15+05:30', '1d 00:00:00'],
    ['a minute before the auction', 'nse-equity', '1', '2026-11-23T15:14:30+05:30', '00:30'],
    ['the auction as a candle of a minute', 'nse-equity', '1', '2026-11-23T15:15+05:30', 'Auction 20:00'],
    ['the auction as a candle of 15 minutes', 'nse-equity', '15', '2026-11-23T15:34:59+05:30', 'Auction 00:01'],
    ['the auction as a candle of 2 hours', 'nse-equity', '120', '2026-11-23T15:15+05:30', 'Auction 00:20:00'],
    ['the auction inside of 4 hours', 'nse-equity', '240', '2026-11-23T15:15+05:30', '00:20:00'],
    ['the auction inside of a day', 'nse-equity', '1D', '2026-11-23T15:15+05:30', '00:20:00'],
    ['4 hours of FX from 17:00 New York', 'fx', '240', '2026-11-23T02:00Z', '04:00:00'],
    ['a day of FX', 'fx', '1D', '2026-11-23T21:00Z', '01:00:00'],
    ['a week of FX over the end of summer time', 'fx', '1W', '2026-10-30T20:59Z', '2d 01:01:00'],
    ['a day of metals ends before its break', 'metals', '1D', '2026-11-23T21:00Z', '01:00:00'],
    ['a day of crypto', 'crypto', '1D', '2026-11-21T18:30Z', '05:30:00'],
    ['a week of crypto', 'crypto', '1W', '2026-11-22T23:59:59Z', '0d 00:00:01'],
  ]

  it.each(rows)('%s', (_why, sessionClass, timeframe, at, text) => {
    expect(textAt(sessionClass, timeframe, at)).toBe(text)
  })
})

describe('at every instant', () => {
  const instants = fc.integer({ min: Date.parse('2024-01-01'), max: Date.parse('2028-01-01') })
  const arbitraries = [fc.constantFrom(...sessionClasses), fc.constantFrom(...knownTimeframes), instants] as const

  it('a countdown is above zero, one before its end and over at it', async () => {
    await assertProperty(
      fc.property(...arbitraries, (sessionClass, timeframe, nowMs) => {
        const state = candleCountdown(sessionClass, timeframe, { nowMs, zone: india })
        if (state.kind === 'closed') return
        expect(state.remainingMs).toBeGreaterThan(0)
        const endMs = nowMs + state.remainingMs
        const bucket = bucketOf(sessionClass, timeframe, nowMs)
        if (timeframe === '1W' || timeframe === '1M') {
          // Ends where the next candle starts, not at the last close.
          expect(bucketOf(sessionClass, timeframe, endMs)?.startMs).toBe(endMs)
          expect(endMs).toBeGreaterThanOrEqual(bucket?.endMs ?? Infinity)
          return
        }
        expect(endMs).toBe(bucket?.endMs)
        const lastMoment = candleCountdown(sessionClass, timeframe, { nowMs: endMs - 1, zone: india })
        expect(lastMoment.kind === 'running' && lastMoment.remainingMs).toBe(1)
        const after = candleCountdown(sessionClass, timeframe, { nowMs: endMs, zone: india })
        expect(after.kind === 'closed' || bucketOf(sessionClass, timeframe, endMs)?.startMs === endMs).toBe(true)
      }),
      { numRuns: 1500 },
    )
  })

  it('a countdown runs exactly while a candle does, and otherwise shows the next opening', async () => {
    await assertProperty(
      fc.property(...arbitraries, (sessionClass, timeframe, nowMs) => {
        const state = candleCountdown(sessionClass, timeframe, { nowMs, zone: india })
        expect(state.kind === 'running').toBe(bucketOf(sessionClass, timeframe, nowMs) !== null)
        if (state.kind === 'closed' && state.opensAtMs !== null) {
          expect(state.opensAtMs).toBeGreaterThan(nowMs)
          expect(bucketOf(sessionClass, '1', state.opensAtMs)?.startMs).toBe(state.opensAtMs)
          expect(bucketOf(sessionClass, '1', state.opensAtMs - 1)).toBeNull()
        }
      }),
      { numRuns: 1500 },
    )
  })
})

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
