// Market state: open or closed, until when and why.
import { describe, expect, it } from 'vitest'
import { marketStateAt } from './market-state.ts'
import type { SessionClass } from './session-class.ts'

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString().replace(':00.000Z', 'Z'))

describe('a closed market', () => {
  const rows: readonly (readonly [why: string, SessionClass, at: string, opensAt: string | null, reason: string | null])[] = [
    ['on a Saturday', 'nse-index', '2026-11-21T10:00+05:30', '2026-11-23T03:45Z', null],
    ['on the evening before a holiday', 'nse-index', '2026-11-23T15:35+05:30', '2026-11-25T03:45Z', 'Guru Nanak Jayanti'],
    ['on a holiday', 'nse-equity', '2026-11-24T11:00+05:30', '2026-11-25T03:45Z', 'Guru Nanak Jayanti'],
    ['on the morning after a holiday', 'bse-index', '2026-11-25T08:00+05:30', '2026-11-25T03:45Z', null],
    ['on a Friday before a holiday on Monday', 'nse-index', '2026-01-23T16:00+05:30', '2026-01-27T03:45Z', 'Republic Day'],
    ['on a Saturday that is a holiday anyway', 'nse-index', '2026-08-15T12:00+05:30', '2026-08-17T03:45Z', null],
    ['between Muhurat and Balipratipada', 'nse-index', '2026-11-09T15:35+05:30', '2026-11-11T03:45Z', 'Diwali Balipratipada'],
    ['before Muhurat', 'nse-index', '2026-11-08T10:00+05:30', '2026-11-08T12:30Z', null],
    ['on Christmas in New York', 'fx', '2026-12-24T22:00Z', '2026-12-27T22:00Z', 'Christmas'],
    ['on the afternoon of Thanksgiving', 'comex', '2026-11-26T20:00Z', '2026-11-26T23:00Z', 'Thanksgiving'],
    ['on the afternoon of Christmas Eve', 'cme', '2026-12-24T19:00Z', '2026-12-27T23:00Z', 'Christmas'],
    ['in the daily break', 'cme', '2026-11-19T22:00Z', '2026-11-19T23:00Z', null],
    ['when the calendar has run out', 'nse-index', '2027-01-02T10:00+05:30', null, null],
  ]

  it.each(rows)('reports its opening %s', (_why, sessionClass, at, opensAt, reason) => {
    const state = marketStateAt(sessionClass, Date.parse(at))
    expect(state.kind === 'closed' && { opensAt: iso(state.opensAtMs), reason: state.reason }).toEqual({ opensAt, reason })
  })
})

describe('an open market', () => {
  const rows: readonly (readonly [why: string, SessionClass, at: string, date: string, segment: string])[] = [
    ['at the open', 'nse-equity', '2026-11-23T09:15+05:30', '2026-11-23', 'continuous'],
    ['just before the auction', 'nse-equity', '2026-11-23T15:14:59.999+05:30', '2026-11-23', 'continuous'],
    ['in the auction', 'nse-equity', '2026-11-23T15:15+05:30', '2026-11-23', 'closing-auction'],
    ['at the end of the auction', 'nse-equity', '2026-11-23T15:34:59+05:30', '2026-11-23', 'closing-auction'],
    ['on Budget Sunday', 'bse-index', '2026-02-01T12:00+05:30', '2026-02-01', 'continuous'],
    ['on a Sunday evening', 'fx', '2026-11-22T22:00Z', '2026-11-23', 'continuous'],
    ['at Christmas', 'crypto', '2026-12-25T12:00Z', '2026-12-25', 'continuous'],
    ['on a weekday that the calendar does not cover', 'nse-index', '2027-01-04T10:00+05:30', '2027-01-04', 'continuous'],
  ]

  it.each(rows)('reports session and segment %s', (_why, sessionClass, at, date, segment) => {
    const state = marketStateAt(sessionClass, Date.parse(at))
    expect(state.kind === 'open' && [state.session.date, state.segment.kind]).toEqual([date, segment])
  })
})
