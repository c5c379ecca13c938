// Trading dates: Globex holiday trading, special sessions of past years, and minutes outside of every list.
import { describe, expect, it } from 'vitest'
import type { Candle } from '../candles/candle.ts'
import { resample } from '../candles/resample.ts'
import { bucketOf, bucketer } from '#shared/candles/bucketer.ts'
import { calendarOf } from './calendar.ts'
import { marketStateAt } from './market-state.ts'
import type { SessionClass } from './session-class.ts'

const iso = (ms: number | null | undefined) => (ms === null || ms === undefined ? ms : new Date(ms).toISOString().replace(':00.000Z', 'Z'))
const minute = (at: string, price = 100): Candle => ({
  timeMs: Date.parse(at),
  open: price,
  high: price,
  low: price,
  close: price,
  volume: 1,
  takerBuyVolume: null,
})

type HolidayRow = readonly [
  SessionClass,
  holiday: string,
  name: string,
  tradeDate: string,
  opens: string,
  halts: string,
  reopens: string,
  closes: string,
]

const holidays: readonly HolidayRow[] = [
  [
    'cme',
    '2026-01-19',
    'Martin Luther King Day',
    '2026-01-20',
    '2026-01-18T23:00Z',
    '2026-01-19T18:00Z',
    '2026-01-19T23:00Z',
    '2026-01-20T22:00Z',
  ],
  [
    'cme',
    '2026-02-16',
    "Presidents' Day",
    '2026-02-17',
    '2026-02-15T23:00Z',
    '2026-02-16T18:00Z',
    '2026-02-16T23:00Z',
    '2026-02-17T22:00Z',
  ],
  ['cme', '2026-05-25', 'Memorial Day', '2026-05-26', '2026-05-24T22:00Z', '2026-05-25T17:00Z', '2026-05-25T22:00Z', '2026-05-26T21:00Z'],
  ['cme', '2026-06-19', 'Juneteenth', '2026-06-22', '2026-06-18T22:00Z', '2026-06-19T17:00Z', '2026-06-21T22:00Z', '2026-06-22T21:00Z'],
  [
    'cme',
    '2026-07-03',
    'Independence Day',
    '2026-07-06',
    '2026-07-02T22:00Z',
    '2026-07-03T17:00Z',
    '2026-07-05T22:00Z',
    '2026-07-06T21:00Z',
  ],
  ['cme', '2026-09-07', 'Labor Day', '2026-09-08', '2026-09-06T22:00Z', '2026-09-07T17:00Z', '2026-09-07T22:00Z', '2026-09-08T21:00Z'],
  ['cme', '2026-11-26', 'Thanksgiving', '2026-11-27', '2026-11-25T23:00Z', '2026-11-26T18:00Z', '2026-11-26T23:00Z', '2026-11-27T18:15Z'],
  [
    'cme',
    '2027-01-18',
    'Martin Luther King Day',
    '2027-01-19',
    '2027-01-17T23:00Z',
    '2027-01-18T18:00Z',
    '2027-01-18T23:00Z',
    '2027-01-19T22:00Z',
  ],
  ['cme', '2027-06-18', 'Juneteenth', '2027-06-21', '2027-06-17T22:00Z', '2027-06-18T17:00Z', '2027-06-20T22:00Z', '2027-06-21T21:00Z'],
  [
    'cme',
    '2027-07-05',
    'Independence Day',
    '2027-07-06',
    '2027-07-04T22:00Z',
    '2027-07-05T17:00Z',
    '2027-07-05T22:00Z',
    '2027-07-06T21:00Z',
  ],
  ['cme', '2027-11-25', 'Thanksgiving', '2027-11-26', '2027-11-24T23:00Z', '2027-11-25T18:00Z', '2027-11-25T23:00Z', '2027-11-26T18:15Z'],
  [
    'comex',
    '2026-01-19',
    'Martin Luther King Day',
    '2026-01-20',
    '2026-01-18T23:00Z',
    '2026-01-19T19:30Z',
    '2026-01-19T23:00Z',
    '2026-01-20T22:00Z',
  ],
  [
    'comex',
    '2026-02-16',
    "Presidents' Day",
    '2026-02-17',
    '2026-02-15T23:00Z',
    '2026-02-16T19:30Z',
    '2026-02-16T23:00Z',
    '2026-02-17T22:00Z',
  ],
  ['comex', '2026-05-25', 'Memorial Day', '2026-05-26', '2026-05-24T22:00Z', '2026-05-25T18:30Z', '2026-05-25T22:00Z', '2026-05-26T21:00Z'],
  ['comex', '2026-06-19', 'Juneteenth', '2026-06-22', '2026-06-18T22:00Z', '2026-06-19T17:00Z', '2026-06-21T22:00Z', '2026-06-22T21:00Z'],
  [
    'comex',
    '2026-07-03',
    'Independence Day',
    '2026-07-06',
    '2026-07-02T22:00Z',
    '2026-07-03T17:00Z',
    '2026-07-05T22:00Z',
    '2026-07-06T21:00Z',
  ],
  ['comex', '2026-09-07', 'Labor Day', '2026-09-08', '2026-09-06T22:00Z', '2026-09-07T18:30Z', '2026-09-07T22:00Z', '2026-09-08T21:00Z'],
  ['comex', '2026-11-26', 'Thanksgiving', '2026-11-27', '2026-11-25T23:00Z', '2026-11-26T19:30Z', '2026-11-26T23:00Z', '2026-11-27T19:45Z'],
  ['comex', '2027-05-31', 'Memorial Day', '2027-06-01', '2027-05-30T22:00Z', '2027-05-31T18:30Z', '2027-05-31T22:00Z', '2027-06-01T21:00Z'],
]

describe('a Globex holiday', () => {
  it.each(holidays)('%s %s, %s, trades for %s', (sessionClass, holiday, name, tradeDate, ...times) => {
    const [opens, halts, reopens, closes] = times.map((time) => Date.parse(time)) as [number, number, number, number]
    const calendar = calendarOf(sessionClass)
    expect(calendar.sessionOn(holiday)).toBeNull()
    expect(calendar.holidayOn(holiday)).toBe(name)
    expect(calendar.tradeDateOf(holiday)).toBe(tradeDate)
    const session = calendar.sessionOn(tradeDate)
    expect(session?.segments.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [opens, halts],
      [reopens, closes],
    ])
    expect([session?.openMs, session?.closeMs]).toEqual([opens, closes])
    for (const within of [opens, halts - 1, reopens, closes - 1]) expect(calendar.sessionAt(within)).toBe(session)
    for (const outside of [halts, reopens - 1, closes]) expect(calendar.sessionAt(outside)?.date).not.toBe(tradeDate)
    expect(marketStateAt(sessionClass, halts)).toEqual({ kind: 'closed', opensAtMs: reopens, reason: name })
    expect(iso(bucketOf(sessionClass, '1D', halts - 1)?.timeMs)).toBe(`${tradeDate}T00:00Z`)
    expect(iso(bucketOf(sessionClass, '240', halts - 1)?.endMs)).toBe(iso(halts))
  })

  it('adds its minutes to the day, week and month of the trade date, and none of the pause', () => {
    const minutes = [
      minute('2026-07-02T20:00Z', 90),
      minute('2026-07-02T22:00Z', 101),
      minute('2026-07-03T16:59Z', 105),
      minute('2026-07-03T18:00Z', 999),
      minute('2026-07-05T22:00Z', 103),
      minute('2026-07-06T20:00Z', 102),
    ]
    const days = resample(minutes, 'cme', '1D')
    expect(days.map(({ timeMs, open, high, close, volume }) => [iso(timeMs), open, high, close, volume])).toEqual([
      ['2026-07-02T00:00Z', 90, 90, 90, 1],
      ['2026-07-06T00:00Z', 101, 105, 102, 4],
    ])
    expect(resample(minutes, 'cme', '1W').map(({ timeMs, volume }) => [iso(timeMs), volume])).toEqual([
      ['2026-06-29T00:00Z', 1],
      ['2026-07-06T00:00Z', 4],
    ])
  })

  it('adds a day that its source lists separately to the trade date', () => {
    const days = [minute('2026-07-02T00:00Z', 90), minute('2026-07-03T00:00Z', 105), minute('2026-07-06T00:00Z', 102)]
    expect(resample(days, 'cme', '1D').map(({ timeMs, open, close, volume }) => [iso(timeMs), open, close, volume])).toEqual([
      ['2026-07-02T00:00Z', 90, 90, 1],
      ['2026-07-06T00:00Z', 105, 102, 2],
    ])
  })
})

describe('special sessions of past years', () => {
  const rows: readonly (readonly [date: string, name: string, open: string, close: string])[] = [
    ['2015-02-28', 'Budget session', '09:15', '15:30'],
    ['2018-11-07', 'Muhurat trading', '17:30', '18:30'],
    ['2019-10-27', 'Muhurat trading', '18:15', '19:15'],
    ['2020-02-01', 'Budget session', '09:15', '15:30'],
    ['2020-11-14', 'Muhurat trading', '18:15', '19:15'],
    ['2021-11-04', 'Muhurat trading', '18:15', '19:15'],
    ['2022-10-24', 'Muhurat trading', '18:15', '19:15'],
    ['2023-11-12', 'Muhurat trading', '18:15', '19:15'],
    ['2024-01-20', 'Special Saturday session', '09:15', '15:30'],
    ['2024-03-02', 'Disaster recovery session', '09:15', '12:30'],
    ['2024-05-18', 'Disaster recovery session', '09:15', '12:40'],
    ['2024-11-01', 'Muhurat trading', '18:00', '19:00'],
    ['2025-02-01', 'Budget session', '09:15', '15:30'],
    ['2025-10-21', 'Muhurat trading', '13:45', '14:45'],
  ]

  it.each(rows)('%s, %s, traded from %s to %s', (date, name, open, close) => {
    for (const sessionClass of ['nse-equity', 'nse-index', 'bse-index'] as const) {
      const session = calendarOf(sessionClass).sessionOn(date)
      expect([session?.note, iso(session?.openMs), iso(session?.closeMs), session?.isAssumed]).toEqual([
        name,
        iso(Date.parse(`${date}T${open}+05:30`)),
        iso(Date.parse(`${date}T${close}+05:30`)),
        false,
      ])
      const first = minute(`${date}T${open}+05:30`)
      expect(resample([first], sessionClass, '1')).toEqual([first])
      expect(resample([first], sessionClass, '60')).toEqual([first])
    }
  })
})

describe('a date that no exchange list covers', () => {
  const rows: readonly (readonly [why: string, at: string, hourStamp: string])[] = [
    ['a Saturday that no row names', '2013-11-02T11:20+05:30', '2013-11-02T11:15+05:30'],
    ['an evening of Diwali that no row names', '2016-10-30T18:31+05:30', '2016-10-30T18:15+05:30'],
    ['an evening of a weekday', '2017-10-19T18:45+05:30', '2017-10-19T18:15+05:30'],
    ['an hour of a source that began before the special session', '2024-11-01T17:15+05:30', '2024-11-01T17:15+05:30'],
  ]

  it.each(rows)('keeps trades on %s', (_why, at, hourStamp) => {
    const traded = minute(at)
    expect(resample([traded], 'nse-index', '1')).toEqual([traded])
    expect(resample([traded], 'nse-index', '60').map(({ timeMs }) => iso(timeMs))).toEqual([iso(Date.parse(hourStamp))])
    expect(resample([traded], 'nse-index', '1D').map(({ timeMs }) => iso(timeMs))).toEqual([`${at.slice(0, 10)}T00:00Z`])
    expect(bucketer('nse-index', '5')(traded.timeMs)?.sessionDate).toBe(at.slice(0, 10))
  })

  it('adds them to the day of the listed hours', () => {
    const minutes = [minute('2017-10-19T15:00+05:30', 90), minute('2017-10-19T18:45+05:30', 91)]
    expect(resample(minutes, 'nse-index', '1D')).toMatchObject([{ open: 90, close: 91, volume: 2 }])
  })

  it('is not open then: no market state, no countdown, no next session', () => {
    expect(calendarOf('nse-index').sessionAt(Date.parse('2013-11-02T11:20+05:30'))).toBeNull()
    expect(calendarOf('nse-index').sessionOn('2013-11-02')).toBeNull()
    expect(bucketOf('nse-index', '1', Date.parse('2013-11-02T11:20+05:30'))).toBeNull()
    expect(marketStateAt('nse-index', Date.parse('2027-01-02T11:20+05:30')).kind).toBe('closed')
  })

  it.each([
    '2017-10-19T09:07+05:30',
    '2017-10-19T15:45+05:30',
    '2013-11-02T09:07+05:30',
    '2026-11-21T11:00+05:30',
    '2026-11-20T18:30+05:30',
  ])('drops what is not a trade of a session: %s', (at) => {
    expect(resample([minute(at)], 'nse-index', '1')).toEqual([])
  })
})

describe('index values during the closing auction', () => {
  it('are separate minutes, and the day ends with them', () => {
    const minutes = ['15:29', '15:30', '15:34', '15:35'].map((time, index) => minute(`2026-11-20T${time}+05:30`, 100 + index))
    for (const sessionClass of ['nse-index', 'bse-index'] as const) {
      expect(resample(minutes, sessionClass, '1')).toEqual(minutes.slice(0, 3))
      expect(resample(minutes, sessionClass, '15').map(({ timeMs }) => iso(timeMs))).toEqual(['2026-11-20T09:45Z', '2026-11-20T10:00Z'])
      expect(resample(minutes, sessionClass, '30')).toMatchObject([{ timeMs: Date.parse('2026-11-20T15:15+05:30'), close: 102 }])
      expect(resample(minutes, sessionClass, '1D')).toMatchObject([{ close: 102 }])
    }
  })

  it('did not exist before 3 August 2026', () => {
    expect(resample([minute('2026-07-31T15:31+05:30')], 'nse-index', '1')).toEqual([])
    expect(iso(calendarOf('nse-index').sessionOn('2026-07-31')?.closeMs)).toBe('2026-07-31T10:00Z')
    expect(iso(calendarOf('nse-index').sessionOn('2026-08-03')?.closeMs)).toBe('2026-08-03T10:05Z')
  })
})
