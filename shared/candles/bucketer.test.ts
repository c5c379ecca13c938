// Candle boundaries by hand, for every session class and timeframe.
import { describe, expect, it } from 'vitest'
import type { Timeframe } from './timeframe.ts'
import { bucketer, bucketOf, isTradingMinute } from './bucketer.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'

const iso = (ms: number) => new Date(ms).toISOString().replace(':00.000Z', 'Z')

/** Timestamp, start and end as UTC texts, and the date; or null. */
function notify(sessionClass: SessionClass, timeframe: Timeframe, at: string): readonly string[] | null {
  const bucket = bucketOf(sessionClass, timeframe, Date.parse(at))
  return bucket && [iso(bucket.timeMs), iso(bucket.startMs), iso(bucket.endMs), bucket.sessionDate]
}

/** A time on an Indian date as UTC text. */
const ist = (date: string, time: string) => iso(Date.parse(`${date}T${time}+05:30`))

describe('outside trading', () => {
  const rows: readonly (readonly [why: string, SessionClass, at: string])[] = [
    ['a millisecond before the open', 'nse-index', '2026-11-20T09:14:59.999+05:30'],
    ['at the close, which is exclusive', 'nse-index', '2026-11-20T15:35+05:30'],
    ['at the close of old days', 'nse-index', '2026-07-31T15:30+05:30'],
    ['at the end of the closing auction', 'nse-equity', '2026-11-20T15:35+05:30'],
    ['in the pre-open', 'nse-equity', '2026-11-20T09:07+05:30'],
    ['in the post-close', 'nse-equity', '2026-11-20T15:55+05:30'],
    ['after the close of old days', 'nse-equity', '2026-07-31T15:31+05:30'],
    ['on a holiday', 'nse-equity', '2026-11-24T10:00+05:30'],
    ['at a weekend', 'bse-index', '2026-11-21T10:00+05:30'],
    ['on the morning of Muhurat', 'nse-index', '2026-11-08T10:00+05:30'],
    ['at the weekend of FX', 'fx', '2026-11-20T22:00Z'],
    ['in the break of metals', 'metals', '2026-11-19T22:30Z'],
    ['in the break of CME', 'cme', '2026-11-19T22:30Z'],
    ['at Christmas', 'fx', '2026-12-25T12:00Z'],
    ['before all dates', 'crypto', '1969-12-31T23:59Z'],
  ]

  it.each(rows)('there is no candle %s', (_why, sessionClass, at) => {
    for (const timeframe of ['1', '240', '1D', '1W', '1M'] as const) expect(bucketOf(sessionClass, timeframe, Date.parse(at))).toBeNull()
  })

  it('there is none for an invalid time', () => {
    const find = bucketer('crypto', '1')
    expect(find(0)).not.toBeNull()
    expect(find(Number.NaN)).toBeNull()
    expect(find(Infinity)).toBeNull()
  })
})

describe('a share with a closing auction', () => {
  const day = '2026-11-20'
  const rows: readonly (readonly [Timeframe, at: string, stamp: string, start: string, end: string])[] = [
    ['1', '09:15', '09:15', '09:15', '09:16'],
    ['1', '15:14', '15:14', '15:14', '15:15'],
    ['1', '15:15', '15:30', '15:15', '15:35'],
    ['1', '15:34', '15:30', '15:15', '15:35'],
    ['3', '15:14', '15:12', '15:12', '15:15'],
    ['3', '15:30', '15:30', '15:15', '15:35'],
    ['5', '15:14', '15:10', '15:10', '15:15'],
    ['5', '15:30', '15:30', '15:15', '15:35'],
    ['15', '15:14', '15:00', '15:00', '15:15'],
    ['15', '15:30', '15:30', '15:15', '15:35'],
    ['30', '09:44', '09:15', '09:15', '09:45'],
    ['30', '15:14', '14:45', '14:45', '15:15'],
    ['30', '15:30', '15:15', '15:15', '15:35'],
    ['60', '14:20', '14:15', '14:15', '15:15'],
    ['60', '15:30', '15:15', '15:15', '15:35'],
    ['120', '11:14', '09:15', '09:15', '11:15'],
    ['120', '15:14', '13:15', '13:15', '15:15'],
    ['120', '15:30', '15:15', '15:15', '15:35'],
    ['240', '13:14', '09:15', '09:15', '13:15'],
    ['240', '13:15', '13:15', '13:15', '15:35'],
    ['240', '15:30', '13:15', '13:15', '15:35'],
  ]

  it.each(rows)('%s at %s has timestamp %s and runs from %s to %s', (timeframe, at, stamp, start, end) => {
    const expected = [ist(day, stamp), ist(day, start), ist(day, end), day]
    expect(notify('nse-equity', timeframe, `${day}T${at}+05:30`)).toEqual(expected)
  })
})

describe('Indian sessions without an auction', () => {
  const rows: readonly (readonly [SessionClass, Timeframe, at: string, start: string, end: string])[] = [
    ['nse-index', '1', '2026-11-20T15:29', '15:29', '15:30'],
    ['nse-index', '3', '2026-11-20T15:29', '15:27', '15:30'],
    ['nse-index', '15', '2026-11-20T15:29', '15:15', '15:30'],
    ['nse-index', '15', '2026-11-20T15:31', '15:30', '15:35'],
    ['nse-index', '30', '2026-11-20T15:29', '15:15', '15:35'],
    ['nse-index', '60', '2026-07-31T15:29', '15:15', '15:30'],
    ['nse-index', '60', '2026-11-20T15:29', '15:15', '15:35'],
    ['bse-index', '120', '2026-11-20T15:29', '15:15', '15:35'],
    ['bse-index', '240', '2026-11-20T15:29', '13:15', '15:35'],
    ['nse-equity', '1', '2026-07-31T15:29', '15:29', '15:30'],
    ['nse-equity', '240', '2026-07-31T15:29', '13:15', '15:30'],
    ['nse-equity', '60', '2026-02-01T15:00', '14:15', '15:15'],
    ['nse-equity', '240', '2026-11-08T18:30', '18:00', '19:00'],
    ['nse-index', '30', '2026-11-08T18:45', '18:30', '19:00'],
  ]

  it.each(rows)('%s %s at %s runs from %s to %s', (sessionClass, timeframe, at, start, end) => {
    const date = at.slice(0, 10)
    expect(notify(sessionClass, timeframe, `${at}+05:30`)).toEqual([ist(date, start), ist(date, start), ist(date, end), date])
  })
})

describe('sessions that open on the evening before, and crypto', () => {
  const rows: readonly (readonly [SessionClass, Timeframe, at: string, start: string, end: string, date: string])[] = [
    ['fx', '1', '2026-11-22T22:00Z', '2026-11-22T22:00Z', '2026-11-22T22:01Z', '2026-11-23'],
    ['fx', '240', '2026-11-22T22:00Z', '2026-11-22T22:00Z', '2026-11-23T02:00Z', '2026-11-23'],
    ['fx', '240', '2026-11-20T21:59Z', '2026-11-20T18:00Z', '2026-11-20T22:00Z', '2026-11-20'],
    ['fx', '240', '2026-06-15T21:30Z', '2026-06-15T21:00Z', '2026-06-16T01:00Z', '2026-06-16'],
    ['fx', '120', '2026-03-08T22:59Z', '2026-03-08T21:00Z', '2026-03-08T23:00Z', '2026-03-09'],
    ['metals', '240', '2026-11-19T23:00Z', '2026-11-19T23:00Z', '2026-11-20T03:00Z', '2026-11-20'],
    ['metals', '240', '2026-11-20T20:00Z', '2026-11-20T19:00Z', '2026-11-20T22:00Z', '2026-11-20'],
    ['metals', '60', '2026-11-01T23:30Z', '2026-11-01T23:00Z', '2026-11-02T00:00Z', '2026-11-02'],
    ['cme', '120', '2026-11-20T21:59Z', '2026-11-20T21:00Z', '2026-11-20T22:00Z', '2026-11-20'],
    ['cme', '30', '2026-03-08T22:10Z', '2026-03-08T22:00Z', '2026-03-08T22:30Z', '2026-03-09'],
    ['crypto', '240', '2026-11-21T23:59Z', '2026-11-21T20:00Z', '2026-11-22T00:00Z', '2026-11-21'],
    ['crypto', '15', '2026-12-25T00:00Z', '2026-12-25T00:00Z', '2026-12-25T00:15Z', '2026-12-25'],
  ]

  it.each(rows)('%s %s at %s runs from %s to %s', (sessionClass, timeframe, at, start, end, date) => {
    expect(notify(sessionClass, timeframe, at)).toEqual([start, start, end, date])
  })
})

describe('days, weeks and months', () => {
  const rows: readonly (readonly [why: string, SessionClass, Timeframe, at: string, expected: readonly string[]])[] = [
    [
      'a day with auction',
      'nse-equity',
      '1D',
      '2026-11-20T15:30+05:30',
      ['2026-11-20T00:00Z', '2026-11-20T03:45Z', '2026-11-20T10:05Z', '2026-11-20'],
    ],
    [
      'a Sunday evening of FX is Monday',
      'fx',
      '1D',
      '2026-11-22T23:00Z',
      ['2026-11-23T00:00Z', '2026-11-22T22:00Z', '2026-11-23T22:00Z', '2026-11-23'],
    ],
    ['a day of crypto', 'crypto', '1D', '2026-11-21T12:00Z', ['2026-11-21T00:00Z', '2026-11-21T00:00Z', '2026-11-22T00:00Z', '2026-11-21']],
    [
      'a week with a holiday on Tuesday',
      'nse-index',
      '1W',
      '2026-11-25T10:00+05:30',
      ['2026-11-23T00:00Z', '2026-11-23T03:45Z', '2026-11-27T10:05Z', '2026-11-23'],
    ],
    [
      'a week that starts with a holiday',
      'nse-index',
      '1W',
      '2026-01-27T10:00+05:30',
      ['2026-01-26T00:00Z', '2026-01-27T03:45Z', '2026-02-01T10:00Z', '2026-01-27'],
    ],
    [
      'Muhurat on Sunday ends its week',
      'nse-equity',
      '1W',
      '2026-11-08T18:00+05:30',
      ['2026-11-02T00:00Z', '2026-11-02T03:45Z', '2026-11-08T13:30Z', '2026-11-02'],
    ],
    [
      'a week over the change to summer time',
      'fx',
      '1W',
      '2026-03-10T00:00Z',
      ['2026-03-09T00:00Z', '2026-03-08T21:00Z', '2026-03-13T21:00Z', '2026-03-09'],
    ],
    [
      'a week over a new year',
      'fx',
      '1W',
      '2026-12-29T00:00Z',
      ['2026-12-28T00:00Z', '2026-12-27T22:00Z', '2026-12-31T22:00Z', '2026-12-28'],
    ],
    [
      'a week of crypto',
      'crypto',
      '1W',
      '2026-11-22T23:59Z',
      ['2026-11-16T00:00Z', '2026-11-16T00:00Z', '2026-11-23T00:00Z', '2026-11-16'],
    ],
    [
      'a month that ends on a Sunday session of another',
      'nse-index',
      '1M',
      '2026-02-01T10:00+05:30',
      ['2026-02-01T00:00Z', '2026-02-01T03:45Z', '2026-02-27T10:00Z', '2026-02-01'],
    ],
    [
      'a month that starts on an evening of the one before',
      'cme',
      '1M',
      '2026-11-02T12:00Z',
      ['2026-11-01T00:00Z', '2026-11-01T23:00Z', '2026-11-30T22:00Z', '2026-11-02'],
    ],
    [
      'a month whose first day is a holiday',
      'metals',
      '1M',
      '2026-01-15T12:00Z',
      ['2026-01-01T00:00Z', '2026-01-01T23:00Z', '2026-01-30T22:00Z', '2026-01-02'],
    ],
    ['a leap February', 'crypto', '1M', '2028-02-29T12:00Z', ['2028-02-01T00:00Z', '2028-02-01T00:00Z', '2028-03-01T00:00Z', '2028-02-01']],
  ]

  it.each(rows)('%s', (_why, sessionClass, timeframe, at, expected) => {
    expect(notify(sessionClass, timeframe, at)).toEqual(expected)
  })
})

describe('a trading minute', () => {
  const rows: readonly (readonly [SessionClass, at: string, isOne: boolean])[] = [
    ['nse-equity', '2026-11-20T09:14+05:30', false],
    ['nse-equity', '2026-11-20T09:15+05:30', true],
    ['nse-equity', '2026-11-20T09:15:30+05:30', false],
    ['nse-equity', '2026-11-20T15:14+05:30', true],
    ['nse-equity', '2026-11-20T15:15+05:30', false],
    ['nse-equity', '2026-11-20T15:30+05:30', true],
    ['nse-equity', '2026-11-20T15:31+05:30', false],
    ['nse-equity', '2026-07-31T15:15+05:30', true],
    ['nse-equity', '2026-07-31T15:30+05:30', false],
    ['nse-index', '2026-11-20T15:29+05:30', true],
    ['nse-index', '2026-11-20T15:34+05:30', true],
    ['nse-index', '2026-11-20T15:35+05:30', false],
    ['fx', '2026-11-21T12:00Z', false],
    ['crypto', '2026-11-21T12:00Z', true],
  ]

  it.each(rows)('of %s: %s is %s', (sessionClass, at, isOne) => {
    expect(isTradingMinute(sessionClass, Date.parse(at))).toBe(isOne)
  })
})
