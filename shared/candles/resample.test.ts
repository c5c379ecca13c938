// Candles of every session class and timeframe: by hand on special days, and against a slow reference everywhere.
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { minuteMs } from '#shared/base/durations.ts'
import { sessionClasses, type SessionClass } from '#shared/trading-hours/session-class.ts'
import { knownTimeframes, type Timeframe } from './timeframe.ts'
import type { Candle } from './candle.ts'
import { resample, stepOf } from './resample.ts'
import { minuteHistories, slowResample } from './testing/random-minutes.ts'

/** A candle at a time with a price and a range of one up and down. */
function candle(at: string, price: number, volume: number | null = 1): Candle {
  const takerBuyVolume = volume === null ? null : volume / 2
  return { timeMs: Date.parse(at), open: price, high: price + 1, low: price - 1, close: price + 0.5, volume, takerBuyVolume }
}

/** Every minute of a span, with prices 1, 2, 3 and so on. */
function minutesOf(fromText: string, toText: string): Candle[] {
  const [fromMs, toMs] = [Date.parse(fromText), Date.parse(toText)]
  return Array.from({ length: (toMs - fromMs) / minuteMs }, (_, index) => ({
    ...candle(fromText, index + 1),
    timeMs: fromMs + index * minuteMs,
  }))
}

/** Timestamp as UTC text, close and volume of each candle. */
const notify = (candles: readonly Candle[]) =>
  candles.map(({ timeMs, close, volume }) => [new Date(timeMs).toISOString().slice(0, 16), close, volume])

describe('dropped candles', () => {
  const rows: readonly (readonly [why: string, SessionClass, Timeframe, Candle[]])[] = [
    ['nothing', 'crypto', '5', []],
    ['a minute before the open', 'nse-index', '1', [candle('2026-11-20T09:14+05:30', 5)]],
    ['a minute of the pre-open', 'nse-equity', '1D', [candle('2026-11-20T09:07+05:30', 5)]],
    ['a minute after the close', 'nse-index', '1W', [candle('2026-11-20T15:35+05:30', 5)]],
    ['a minute of a holiday', 'nse-equity', '60', [candle('2026-11-24T11:00+05:30', 5)]],
    ['a minute of the weekend of FX', 'fx', '1D', [candle('2026-11-21T09:00Z', 5)]],
    ['the midnight of a weekend of FX', 'fx', '1', [candle('2026-11-21T00:00Z', 5)]],
    ['a day of the weekend of FX, from a market that never closes', 'fx', '1W', [candle('2026-11-21T00:00Z', 5)]],
    ['an hour in the break of metals', 'metals', '120', [candle('2026-11-19T22:00Z', 5)]],
  ]
  it.each(rows)('%s', (_why, sessionClass, timeframe, candles) => {
    expect(resample(candles, sessionClass, timeframe)).toEqual([])
  })
})

describe('values', () => {
  it('are first open, highest high, lowest low, last close, and sums', () => {
    const made = resample([candle('2026-11-20T10:00Z', 10), candle('2026-11-20T10:03Z', 20), candle('2026-11-20T10:04Z', 5)], 'crypto', '5')
    expect(made).toEqual([
      { timeMs: Date.parse('2026-11-20T10:00Z'), open: 10, high: 21, low: 4, close: 5.5, volume: 3, takerBuyVolume: 1.5 },
    ])
  })

  const volumes: readonly (readonly [
    why: string,
    parts: readonly (readonly [number | null, number | null])[],
    number | null,
    number | null,
  ])[] = [
    [
      'none where no part has any',
      [
        [null, null],
        [null, null],
      ],
      null,
      null,
    ],
    [
      'that of the parts that have it',
      [
        [null, null],
        [3, 1],
        [null, null],
      ],
      3,
      1,
    ],
    [
      'no takers where one part does not know them',
      [
        [3, 1],
        [2, null],
      ],
      5,
      null,
    ],
    [
      'no takers where the first part does not know them',
      [
        [3, null],
        [2, 1],
      ],
      5,
      null,
    ],
    [
      'zero volume has no takers',
      [
        [0, null],
        [2, 1],
        [0, null],
      ],
      2,
      1,
    ],
  ]
  it.each(volumes)('of volume: %s', (_why, parts, volume, takerBuyVolume) => {
    const candles = parts.map(([volume, takerBuyVolume], index) => ({
      ...candle('2026-11-20T10:00Z', 10),
      timeMs: Date.parse('2026-11-20T10:00Z') + index * minuteMs,
      volume,
      takerBuyVolume,
    }))
    expect(resample(candles, 'crypto', '5')).toMatchObject([{ volume, takerBuyVolume }])
  })
})

describe('the closing auction of a share', () => {
  const auction = candle('2026-11-20T15:30+05:30', 900, 50)
  const day = [...minutesOf('2026-11-20T09:15+05:30', '2026-11-20T15:15+05:30'), auction]
  const rows: readonly (readonly [Timeframe, stamp: string, volume: number])[] = [
    ['1', '15:30', 50],
    ['3', '15:30', 50],
    ['5', '15:30', 50],
    ['15', '15:30', 50],
    ['30', '15:15', 50],
    ['60', '15:15', 50],
    ['120', '15:15', 50],
    ['240', '13:15', 170],
  ]
  it.each(rows)('is the last candle of %s, stamped %s', (timeframe, stamp, volume) => {
    const last = resample(day, 'nse-equity', timeframe).at(-1)
    expect(last).toMatchObject({ timeMs: Date.parse(`2026-11-20T${stamp}+05:30`), close: 900.5, volume })
  })

  it('is the close of the day, week and month', () => {
    expect(notify(resample(day, 'nse-equity', '1D'))).toEqual([['2026-11-20T00:00', 900.5, 410]])
    expect(notify(resample(day, 'nse-equity', '1W'))).toEqual([['2026-11-16T00:00', 900.5, 410]])
    expect(notify(resample(day, 'nse-equity', '1M'))).toEqual([['2026-11-01T00:00', 900.5, 410]])
  })

  it('has the same candle through hours as through its minutes', () => {
    const hours = resample(day, 'nse-equity', '60')
    for (const timeframe of ['120', '240'] as const)
      expect(resample(hours, 'nse-equity', timeframe)).toEqual(resample(day, 'nse-equity', timeframe))
  })

  it('did not exist before 3 August 2026: the last quarter of an hour is a short candle', () => {
    const old = minutesOf('2026-07-31T09:15+05:30', '2026-07-31T15:30+05:30')
    expect(notify(resample(old, 'nse-equity', '60').slice(-2))).toEqual([
      ['2026-07-31T08:45', 360.5, 60],
      ['2026-07-31T09:45', 375.5, 15],
    ])
  })
})

describe('special days', () => {
  it('the index has a short candle of a quarter of an hour at its end', () => {
    const day = minutesOf('2026-11-20T09:15+05:30', '2026-11-20T15:30+05:30')
    expect(resample(day, 'nse-index', '30').map(({ volume }) => volume)).toEqual([...Array<number>(12).fill(30), 15])
    expect(resample(day, 'nse-index', '240').map(({ volume }) => volume)).toEqual([240, 135])
  })

  it('the budget Sunday belongs to the week that ends with it', () => {
    expect(notify(resample(minutesOf('2026-02-01T09:15+05:30', '2026-02-01T09:20+05:30'), 'nse-index', '1W'))).toEqual([
      ['2026-01-26T00:00', 5.5, 5],
    ])
  })

  it('currencies roll at 17:00 New York, an hour later in UTC in winter', () => {
    const friday = minutesOf('2026-10-30T20:58Z', '2026-10-30T21:02Z')
    const sunday = minutesOf('2026-11-01T21:58Z', '2026-11-01T22:02Z')
    expect(notify(resample([...friday, ...sunday], 'fx', '240'))).toEqual([
      ['2026-10-30T17:00', 2.5, 2],
      ['2026-11-01T22:00', 4.5, 2],
    ])
    expect(notify(resample([...friday, ...sunday], 'fx', '1D'))).toEqual([
      ['2026-10-30T00:00', 2.5, 2],
      ['2026-11-02T00:00', 4.5, 2],
    ])
  })

  it('days are aggregated to weeks and months by date, also on a session missing in the calendar', () => {
    const days = ['2025-01-31', '2025-02-01', '2025-02-03'].map((date, index) => candle(`${date}T00:00Z`, index + 1))
    expect(notify(resample(days, 'nse-index', '1W'))).toEqual([
      ['2025-01-27T00:00', 2.5, 2],
      ['2025-02-03T00:00', 3.5, 1],
    ])
    expect(notify(resample(days, 'nse-index', '1M'))).toEqual([
      ['2025-01-01T00:00', 1.5, 1],
      ['2025-02-01T00:00', 3.5, 2],
    ])
  })

  it("a week grows from its days and then from today's minutes", () => {
    const mixed = [
      candle('2026-11-18T00:00Z', 1),
      candle('2026-11-19T00:00Z', 2),
      ...minutesOf('2026-11-20T09:15+05:30', '2026-11-20T09:18+05:30'),
    ]
    expect(notify(resample(mixed, 'nse-index', '1W'))).toEqual([['2026-11-16T00:00', 3.5, 5]])
  })
})

describe('the minute of 00:00 UTC', () => {
  it('counts as a minute where markets are open then', () => {
    const midnight = minutesOf('2026-11-19T23:59Z', '2026-11-20T00:02Z')
    expect(notify(resample(midnight, 'crypto', '1D'))).toEqual([
      ['2026-11-19T00:00', 1.5, 1],
      ['2026-11-20T00:00', 3.5, 2],
    ])
    expect(notify(resample(midnight.slice(1), 'cme', '1D'))).toEqual([['2026-11-20T00:00', 3.5, 2]])
  })
})

describe('steps', () => {
  it('each timeframe is made from the largest step that fits', () => {
    expect(knownTimeframes.map(stepOf)).toEqual(['1m', '1m', '1m', '1m', '1m', '1h', '1h', '1h', '1D', '1D', '1D'])
  })
})

describe('any history', () => {
  const classes = fc.constantFrom(...sessionClasses)
  it('gives the candles of the slow reference', async () => {
    await assertProperty(
      fc.property(classes, fc.constantFrom(...knownTimeframes), minuteHistories, (sessionClass, timeframe, minutes) => {
        expect(resample(minutes, sessionClass, timeframe)).toEqual(rounded(slowResample(minutes, sessionClass, timeframe)))
      }),
      { numRuns: 700 },
    )
  })

  it('gives the same through hours and days', async () => {
    await assertProperty(
      fc.property(classes, minuteHistories, (sessionClass, minutes) => {
        const whole = minutes.map((minute) => ({ ...minute, volume: minute.volume && Math.ceil(minute.volume), takerBuyVolume: null }))
        const hours = resample(whole, sessionClass, '60')
        const days = resample(whole, sessionClass, '1D')
        for (const timeframe of ['120', '240'] as const)
          expect(resample(hours, sessionClass, timeframe)).toEqual(resample(whole, sessionClass, timeframe))
        for (const timeframe of ['1D', '1W', '1M'] as const)
          expect(resample(days, sessionClass, timeframe)).toEqual(resample(whole, sessionClass, timeframe))
      }),
      { numRuns: 150 },
    )
  })
})

/** Sums in another order differ in the last digit. */
function rounded(candles: readonly Candle[]): unknown[] {
  const near = (value: number | null) => (value === null ? null : expect.closeTo(value, 6))
  return candles.map((made) => ({ ...made, volume: near(made.volume), takerBuyVolume: near(made.takerBuyVolume) }))
}
