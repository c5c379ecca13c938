// Countdown of the header by class, timeframe and instant, and properties that always hold.
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { knownTimeframes, type Timeframe } from './timeframe.ts'
import { bucketOf } from './bucketer.ts'
import { candleCountdown } from './candle-countdown.ts'
import { sessionClasses, type SessionClass } from '#shared/trading-hours/session-class.ts'

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
