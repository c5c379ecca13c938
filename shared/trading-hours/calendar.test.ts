// Known trading dates, hours and openings of every session class.
import { describe, expect, it } from 'vitest'
import { calendarWarning } from './calendar-warning.ts'
import { calendarOf } from './calendar.ts'
import type { SessionClass } from './session-class.ts'
import type { TimeWindow } from './session.ts'

const iso = (ms: number | null | undefined) => (ms === null || ms === undefined ? ms : new Date(ms).toISOString().replace(':00.000Z', 'Z'))
const inIndia = (ms: number) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('Asia/Kolkata').toPlainTime().toString().slice(0, 5)
const hoursInIndia = (window: TimeWindow | null) => (window === null ? null : `${inIndia(window.startMs)}-${inIndia(window.endMs)}`)
/** Since August 2026 an index may move until the closing auction of its shares is over. */
const indexSegments = ['continuous 09:15-15:30', 'closing-values 15:30-15:35']
const indian = ['nse-equity', 'nse-index', 'bse-index'] as const

describe('Indian exchanges', () => {
  const weekdayHolidays = [
    ['2026-01-15', 'Municipal elections in Maharashtra'],
    ['2026-01-26', 'Republic Day'],
    ['2026-03-03', 'Holi'],
    ['2026-03-26', 'Ram Navami'],
    ['2026-03-31', 'Mahavir Jayanti'],
    ['2026-04-03', 'Good Friday'],
    ['2026-04-14', 'Ambedkar Jayanti'],
    ['2026-05-01', 'Maharashtra Day'],
    ['2026-05-28', 'Bakri Id'],
    ['2026-06-26', 'Muharram'],
    ['2026-09-14', 'Ganesh Chaturthi'],
    ['2026-10-02', 'Gandhi Jayanti'],
    ['2026-10-20', 'Dussehra'],
    ['2026-11-10', 'Diwali Balipratipada'],
    ['2026-11-24', 'Guru Nanak Jayanti'],
    ['2026-12-25', 'Christmas'],
  ] as const

  it.each(weekdayHolidays)('are closed on %s for %s', (date, name) => {
    for (const sessionClass of indian) {
      expect(calendarOf(sessionClass).sessionOn(date)).toBeNull()
      expect(calendarOf(sessionClass).holidayOn(date)).toBe(name)
    }
  })

  it.each(['2026-02-15', '2026-03-21', '2026-08-15', '2026-11-21', '2026-11-22'])(
    'are closed on %s, a weekend without a holiday',
    (date) => {
      for (const sessionClass of indian) {
        expect(calendarOf(sessionClass).sessionOn(date)).toBeNull()
        expect(calendarOf(sessionClass).holidayOn(date)).toBeNull()
      }
    },
  )

  it('have no session on an invalid date', () => {
    for (const date of ['', 'today', '2026-13-01', '1969-12-31', '2200-01-01']) expect(calendarOf('nse-index').sessionOn(date)).toBeNull()
    expect(calendarOf('nse-index').sessionAt(Number.NaN)).toBeNull()
    expect(calendarOf('nse-index').nextSession('today')).toBeNull()
  })

  it('trade on every other weekday of 2026 and on two Sundays', () => {
    const closed: string[] = weekdayHolidays.map(([date]) => date)
    for (let date = Temporal.PlainDate.from('2026-01-01'); date.year === 2026; date = date.add({ days: 1 })) {
      const text = date.toString()
      const isOpen = ['2026-02-01', '2026-11-08'].includes(text) || (date.dayOfWeek <= 5 && !closed.includes(text))
      for (const sessionClass of indian) expect([text, calendarOf(sessionClass).sessionOn(text) !== null]).toEqual([text, isOpen])
    }
  })

  const days: readonly (readonly [
    why: string,
    SessionClass,
    date: string,
    segments: readonly string[],
    preOpen: string | null,
    postClose: string | null,
  ])[] = [
    ['before the closing auction existed', 'nse-equity', '2026-07-31', ['continuous 09:15-15:30'], '09:00-09:08', '15:40-16:00'],
    [
      'with its first closing auction',
      'nse-equity',
      '2026-08-03',
      ['continuous 09:15-15:15', 'closing-auction 15:15-15:35'],
      '09:00-09:08',
      '15:50-16:00',
    ],
    [
      'on the last day of the short pre-open',
      'nse-equity',
      '2026-09-04',
      ['continuous 09:15-15:15', 'closing-auction 15:15-15:35'],
      '09:00-09:08',
      '15:50-16:00',
    ],
    [
      'on the first day of the long pre-open',
      'nse-equity',
      '2026-09-07',
      ['continuous 09:15-15:15', 'closing-auction 15:15-15:35'],
      '09:00-09:15',
      '15:50-16:00',
    ],
    ['long before the calendar starts', 'nse-equity', '2008-06-02', ['continuous 09:15-15:30'], '09:00-09:08', '15:40-16:00'],
    ['for the NSE index before the change', 'nse-index', '2026-07-31', ['continuous 09:15-15:30'], null, null],
    ['for the NSE index after the change', 'nse-index', '2026-08-03', indexSegments, null, null],
    ['for the BSE index after the change', 'bse-index', '2026-08-03', indexSegments, null, null],
    ['on Budget Sunday, in full', 'nse-equity', '2026-02-01', ['continuous 09:15-15:30'], '09:00-09:08', '15:40-16:00'],
    ['for Muhurat, without an auction', 'nse-equity', '2026-11-08', ['continuous 18:00-19:00'], null, null],
    ['for Muhurat at BSE', 'bse-index', '2026-11-08', ['continuous 18:00-19:00'], null, null],
    ['while London changes its clock', 'nse-index', '2026-03-30', ['continuous 09:15-15:30'], null, null],
    ['while New York changes its clock', 'nse-index', '2026-03-09', ['continuous 09:15-15:30'], null, null],
    ['while New York changes it back', 'nse-index', '2026-11-02', indexSegments, null, null],
  ]

  it.each(days)('keep the hours %s', (_why, sessionClass, date, segments, preOpen, postClose) => {
    const session = calendarOf(sessionClass).sessionOn(date)
    expect(session?.segments.map((segment) => `${segment.kind} ${hoursInIndia(segment)}`)).toEqual(segments)
    expect(session && hoursInIndia(session.preOpen)).toBe(preOpen)
    expect(session && hoursInIndia(session.postClose)).toBe(postClose)
  })

  it('give the print of the closing auction the timestamp 15:30', () => {
    const prints = calendarOf('nse-equity')
      .sessionOn('2026-11-20')
      ?.segments.flatMap((segment) => (segment.kind === 'closing-auction' ? [inIndia(segment.printMs)] : []))
    expect(prints).toEqual(['15:30'])
  })

  it('describe special sessions, and mark uncertain times and assumed sessions', () => {
    const notify = (date: string) => {
      const session = calendarOf('nse-equity').sessionOn(date)
      return session && [session.note, session.areTimesKnown, session.isAssumed]
    }
    expect(notify('2026-02-01')).toEqual(['Budget session', true, false])
    expect(notify('2026-11-08')).toEqual(['Muhurat trading', false, false])
    expect(notify('2026-11-23')).toEqual([null, true, false])
    expect(notify('2025-12-26')).toEqual([null, true, true])
    expect(notify('2027-01-27')).toEqual([null, true, true])
  })
})

describe('sessions around clock changes', () => {
  const rows: readonly (readonly [SessionClass, date: string, open: string, close: string])[] = [
    ['fx', '2026-03-06', '2026-03-05T22:00Z', '2026-03-06T22:00Z'],
    ['fx', '2026-03-09', '2026-03-08T21:00Z', '2026-03-09T21:00Z'],
    ['fx', '2026-03-30', '2026-03-29T21:00Z', '2026-03-30T21:00Z'],
    ['fx', '2026-10-26', '2026-10-25T21:00Z', '2026-10-26T21:00Z'],
    ['fx', '2026-10-30', '2026-10-29T21:00Z', '2026-10-30T21:00Z'],
    ['fx', '2026-11-02', '2026-11-01T22:00Z', '2026-11-02T22:00Z'],
    ['metals', '2026-03-06', '2026-03-05T23:00Z', '2026-03-06T22:00Z'],
    ['metals', '2026-03-09', '2026-03-08T22:00Z', '2026-03-09T21:00Z'],
    ['metals', '2026-11-02', '2026-11-01T23:00Z', '2026-11-02T22:00Z'],
    ['cme', '2026-03-06', '2026-03-05T23:00Z', '2026-03-06T22:00Z'],
    ['cme', '2026-03-09', '2026-03-08T22:00Z', '2026-03-09T21:00Z'],
    ['cme', '2026-10-30', '2026-10-29T22:00Z', '2026-10-30T21:00Z'],
    ['cme', '2026-11-02', '2026-11-01T23:00Z', '2026-11-02T22:00Z'],
    ['crypto', '2026-03-08', '2026-03-08T00:00Z', '2026-03-09T00:00Z'],
    ['crypto', '2026-12-25', '2026-12-25T00:00Z', '2026-12-26T00:00Z'],
    ['nse-index', '2026-03-09', '2026-03-09T03:45Z', '2026-03-09T10:00Z'],
    ['nse-index', '2026-11-02', '2026-11-02T03:45Z', '2026-11-02T10:05Z'],
  ]

  it.each(rows)('%s trades its %s from %s to %s', (sessionClass, date, open, close) => {
    const calendar = calendarOf(sessionClass)
    const session = calendar.sessionOn(date)
    expect([iso(session?.openMs), iso(session?.closeMs)]).toEqual([open, close])
    expect(calendar.sessionAt(Date.parse(open) - 1)?.date).not.toBe(date)
    expect(calendar.sessionAt(Date.parse(open))).toBe(session)
    expect(calendar.sessionAt(Date.parse(close) - 1)).toBe(session)
    expect(calendar.sessionAt(Date.parse(close))?.date).not.toBe(date)
  })

  it.each(['fx', 'metals', 'cme', 'comex'] as const)('%s is closed at Christmas, on New Year and at weekends', (sessionClass) => {
    const calendar = calendarOf(sessionClass)
    for (const date of ['2026-01-01', '2025-12-25', '2026-12-25', '2031-01-01', '2026-11-21', '2026-11-22'])
      expect(calendar.sessionOn(date)).toBeNull()
    expect(calendar.holidayOn('2026-12-25')).toBe('Christmas')
  })
})

describe('days with special hours', () => {
  const rows: readonly (readonly [SessionClass, date: string, name: string, open: string, close: string, areTimesKnown: boolean])[] = [
    ['cme', '2026-04-03', 'Good Friday', '2026-04-02T22:00Z', '2026-04-03T13:15Z', true],
    ['cme', '2026-11-27', 'Day after Thanksgiving', '2026-11-25T23:00Z', '2026-11-27T18:15Z', true],
    ['cme', '2026-12-24', 'Christmas Eve', '2026-12-23T23:00Z', '2026-12-24T18:15Z', true],
    ['comex', '2026-07-06', 'Independence Day', '2026-07-02T22:00Z', '2026-07-06T21:00Z', false],
    ['comex', '2026-11-27', 'Day after Thanksgiving', '2026-11-25T23:00Z', '2026-11-27T19:45Z', true],
    ['comex', '2026-12-24', 'Christmas Eve', '2026-12-23T23:00Z', '2026-12-24T18:45Z', true],
    ['metals', '2026-11-26', 'Thanksgiving', '2026-11-25T23:00Z', '2026-11-26T19:30Z', false],
    ['metals', '2026-12-24', 'Christmas Eve', '2026-12-23T23:00Z', '2026-12-24T18:45Z', false],
    ['metals', '2027-01-18', 'Martin Luther King Day', '2027-01-17T23:00Z', '2027-01-18T19:30Z', false],
    ['comex', '2027-11-26', 'Day after Thanksgiving', '2027-11-24T23:00Z', '2027-11-26T19:45Z', false],
  ]

  it.each(rows)('%s on %s, %s, trades from %s to %s', (sessionClass, date, name, open, close, areTimesKnown) => {
    const session = calendarOf(sessionClass).sessionOn(date)
    expect([iso(session?.openMs), iso(session?.closeMs)]).toEqual([open, close])
    expect([session?.note, session?.areTimesKnown, session?.isAssumed]).toEqual([name, areTimesKnown, false])
  })

  it.each(['comex', 'metals'] as const)('%s is closed on Good Friday of every year', (sessionClass) => {
    for (const date of ['2024-03-29', '2025-04-18', '2026-04-03', '2027-03-26']) {
      expect(calendarOf(sessionClass).sessionOn(date)).toBeNull()
      expect(calendarOf(sessionClass).holidayOn(date)).toBe('Good Friday')
    }
  })

  it('currencies have none: they trade on Good Friday and at Thanksgiving', () => {
    for (const date of ['2026-04-03', '2026-11-26', '2026-11-27', '2026-12-24', '2026-12-31'])
      expect(calendarOf('fx').sessionOn(date)).toMatchObject({ note: null, areTimesKnown: true })
  })
})

describe('beyond the list of a year', () => {
  it.each(indian)('%s keeps the holidays that fall on the same date in every year', (sessionClass) => {
    const { sessionOn, holidayOn } = calendarOf(sessionClass)
    for (const [date, name] of [
      ['2024-01-26', 'Republic Day'],
      ['2025-10-02', 'Gandhi Jayanti'],
      ['2025-12-25', 'Christmas'],
      ['2027-01-26', 'Republic Day'],
      ['2028-08-15', 'Independence Day'],
    ] as const) {
      expect(sessionOn(date)).toBeNull()
      expect(holidayOn(date)).toBe(name)
    }
    for (const weekend of ['2027-08-15', '2027-10-02', '2027-12-25']) expect(holidayOn(weekend)).toBeNull()
  })

  it('returns no opening of an Indian exchange, and continues where only short days are missing', () => {
    expect(calendarOf('nse-index').nextOpenMs(Date.parse('2027-01-25T16:00+05:30'))).toBeNull()
    expect(iso(calendarOf('cme').nextOpenMs(Date.parse('2027-01-01T12:00Z')))).toBe('2027-01-03T23:00Z')
    expect(iso(calendarOf('comex').nextOpenMs(Date.parse('2027-03-25T21:30Z')))).toBe('2027-03-28T22:00Z')
  })
})

describe('next sessions', () => {
  const openings: readonly (readonly [why: string, SessionClass, from: string, opensAt: string | null])[] = [
    ['over a weekend', 'nse-index', '2026-11-21T12:00+05:30', '2026-11-23T03:45Z'],
    ['the morning of a session', 'nse-index', '2026-11-23T09:14:59+05:30', '2026-11-23T03:45Z'],
    ['from the opening itself over a holiday', 'nse-index', '2026-11-23T09:15+05:30', '2026-11-25T03:45Z'],
    ['to Muhurat on a Sunday', 'nse-equity', '2026-11-06T16:00+05:30', '2026-11-08T12:30Z'],
    ['from Muhurat to Monday', 'nse-equity', '2026-11-08T19:00+05:30', '2026-11-09T03:45Z'],
    ['on the last day of the calendar', 'nse-index', '2026-12-31T09:00+05:30', '2026-12-31T03:45Z'],
    ['after the last session of the calendar', 'nse-index', '2026-12-31T15:30+05:30', null],
    ['far behind the calendar', 'bse-index', '2030-06-01T00:00Z', null],
    ['before the calendar starts', 'bse-index', '2025-06-01T00:00Z', '2025-06-02T03:45Z'],
    ['over the week of FX', 'fx', '2026-11-20T22:00Z', '2026-11-22T22:00Z'],
    ['over the break of metals', 'metals', '2026-11-19T22:00Z', '2026-11-19T23:00Z'],
    ['on the evening of Thanksgiving', 'cme', '2026-11-26T18:00Z', '2026-11-26T23:00Z'],
    ['over Good Friday', 'comex', '2026-04-02T21:00Z', '2026-04-05T22:00Z'],
    ['from Christmas Eve to the Sunday after', 'metals', '2026-12-24T18:45Z', '2026-12-27T23:00Z'],
    ['over Christmas and a weekend', 'fx', '2026-12-24T22:00Z', '2026-12-27T22:00Z'],
    ['without a pause', 'crypto', '2026-11-21T12:00Z', '2026-11-22T00:00Z'],
  ]

  it.each(openings)('opens %s', (_why, sessionClass, from, opensAt) => {
    expect(iso(calendarOf(sessionClass).nextOpenMs(Date.parse(from)))).toBe(opensAt)
  })

  it('finds the sessions before and after a date, whether it has one or not', () => {
    const calendar = calendarOf('nse-equity')
    expect(calendar.nextSession('2026-11-23')?.date).toBe('2026-11-25')
    expect(calendar.nextSession('2026-11-24')?.date).toBe('2026-11-25')
    expect(calendar.previousSession('2026-11-25')?.date).toBe('2026-11-23')
    expect(calendar.previousSession('2026-11-09')?.date).toBe('2026-11-08')
  })

  it('never keeps a market closed for six days, so that a weekday is enough to name the opening', () => {
    for (const sessionClass of [...indian, 'fx', 'metals', 'cme', 'comex'] as const) {
      const calendar = calendarOf(sessionClass)
      let session = calendar.sessionOn('2026-01-02')
      while (session !== null && session.date < '2026-12-31') {
        const next = calendar.nextSession(session.date)
        expect((next?.openMs ?? Infinity) - session.closeMs).toBeLessThan(6 * 86_400_000)
        session = next
      }
    }
  })
})

describe('warning before a calendar ends', () => {
  const rows: readonly (readonly [SessionClass, now: string, daysLeft: number | null])[] = [
    ['nse-equity', '2026-10-01T12:00+05:30', null],
    ['nse-equity', '2026-10-02T23:59:59+05:30', 90],
    ['nse-equity', '2026-11-21T12:00+05:30', 40],
    ['nse-equity', '2026-12-02T00:00+05:30', 29],
    ['bse-index', '2026-12-30T12:00+05:30', 1],
    ['nse-index', '2026-12-31T12:00+05:30', 0],
    ['nse-index', '2027-03-01T12:00+05:30', 0],
    ['fx', '2026-12-31T12:00Z', null],
    ['cme', '2026-12-31T12:00Z', null],
    ['cme', '2027-10-01T12:00Z', null],
    ['cme', '2027-12-10T12:00Z', 21],
    ['comex', '2027-12-31T12:00Z', 0],
    ['metals', '2028-02-01T12:00Z', 0],
    ['crypto', '2026-12-31T12:00Z', null],
  ]

  it.each(rows)('for %s at %s leaves %s', (sessionClass, now, daysLeft) => {
    expect(calendarWarning(sessionClass, Date.parse(now))).toEqual(daysLeft === null ? null : { daysLeft })
  })
})
