// Import of holiday lists: format, issues with their line, merging, and the calendars that follow.
import { afterEach, describe, expect, it } from 'vitest'
import { calendarWarning } from './calendar-warning.ts'
import { calendarOf } from './calendar.ts'
import { listFrom, mergeLists, type CalendarList } from './calendar-list.ts'
import { applyCalendarLists } from './exchange-calendar.ts'
import { marketStateAt } from './market-state.ts'
import { readCalendarLists } from './read-calendar-lists.ts'

const head = ['exchange: nse, bse', 'from: 2027-01-01', 'until: 2027-12-31', 'source: NSE/CMTR/70000 of 11 December 2026']
const rows = [
  '# a comment',
  '26-Jan-2027, Tuesday, Republic Day',
  '2027-10-29\tDiwali (Muhurat trading)\t18:00-19:00',
  '2027-02-06, Budget session, open',
]
const read = (...lines: string[]) => readCalendarLists(lines.join('\r\n'))

function nse2027(): CalendarList {
  const lists = read(...head, ...rows)
  if ('code' in lists || lists[0] === undefined) throw new Error('the list is not read')
  return lists[0]
}

afterEach(() => applyCalendarLists([]))

describe('the text of a list', () => {
  it('gives one list for each exchange, in order of date, in the forms of the exchanges', () => {
    const of = (exchange: 'nse' | 'bse'): CalendarList => ({
      exchange,
      from: '2027-01-01',
      until: '2027-12-31',
      source: 'NSE/CMTR/70000 of 11 December 2026',
      holidays: [{ date: '2027-01-26', name: 'Republic Day' }],
      specialSessions: [
        { date: '2027-02-06', name: 'Budget session', hours: null },
        { date: '2027-10-29', name: 'Diwali (Muhurat trading)', hours: { open: '18:00', close: '19:00' } },
      ],
    })
    expect(read(...head, ...rows)).toEqual([of('nse'), of('bse')])
  })

  it.each<readonly [lines: readonly string[], code: string, params: readonly (string | number)[]]>([
    [[], 'exchange', []],
    [['exchange: nse, lse'], 'exchange', []],
    [['exchange: nse'], 'span', []],
    [['exchange: nse', 'from: 2027-12-31', 'until: 2027-01-01'], 'span', []],
    [['exchange: nse', 'from: 2027-01-01', 'until: 2027-02-30'], 'span', []],
    [head.slice(0, 3), 'source', []],
    [head, 'noRows', []],
    [[...head, 'Republic Day, 26-Jan-2027'], 'badDate', [5]],
    [[...head, '2027-02-30, Nothing'], 'badDate', [5]],
    [[...head, '2027-01-26'], 'badName', [5]],
    [[...head, `2027-01-26, ${'x'.repeat(81)}`], 'badName', [5]],
    [[...head, '2027-01-26, Name, 25:00-26:00'], 'badHours', [5]],
    [[...head, '2027-01-26, Name, 19:00-18:00'], 'badHours', [5]],
    [[...head, '', '2027-01-26, One', '26-Jan-2027, Two'], 'twice', [7]],
    [[...head, '2028-01-26, Republic Day'], 'outside', ['2028-01-26']],
  ])('%j is rejected as %s', (lines, code, params) => {
    expect(read(...lines)).toEqual({ code: `calendarList.${code}`, ...(params.length === 0 ? {} : { params }) })
  })
})

describe('an imported list', () => {
  const at = (text: string) => Date.parse(`${text}+05:30`)

  it('closes its holidays, opens its sessions, and ends the warning, in calendars that are in use already', () => {
    const calendar = calendarOf('nse-equity')
    expect([calendar.sessionOn('2027-01-26')?.date, calendar.sessionOn('2027-03-01')?.isAssumed, calendar.coveredUntil]).toEqual([
      undefined,
      true,
      '2026-12-31',
    ])
    expect(calendar.nextOpenMs(at('2027-01-04T20:00'))).toBeNull()
    expect(calendarWarning('nse-index', at('2026-12-20T10:00'))).toEqual({ daysLeft: 11 })
    applyCalendarLists([nse2027()])
    expect(calendar.nextOpenMs(at('2027-01-04T20:00'))).toBe(at('2027-01-05T09:15'))
    expect(calendar.sessionOn('2027-03-01')?.isAssumed).toBe(false)
    expect(calendar.sessionOn('2027-02-06')?.openMs).toBe(at('2027-02-06T09:15'))
    expect(calendar.sessionOn('2027-10-29')).toMatchObject({ openMs: at('2027-10-29T18:00'), closeMs: at('2027-10-29T19:00') })
    expect([calendar.coveredUntil, calendar.version]).toEqual(['2027-12-31', expect.stringContaining('NSE/CMTR/70000')])
    expect(marketStateAt('nse-index', at('2027-01-26T11:00'))).toMatchObject({ kind: 'closed', reason: 'Republic Day' })
    expect(calendarWarning('nse-index', at('2026-12-20T10:00'))).toBeNull()
    // The other exchange keeps its own.
    expect(calendarOf('bse-index').coveredUntil).toBe('2026-12-31')
    applyCalendarLists([])
    expect([calendar.coveredUntil, calendar.nextOpenMs(at('2027-01-04T20:00'))]).toEqual(['2026-12-31', null])
  })

  it('replaces the rows of its days only, those of the files included', () => {
    const late = { ...nse2027(), from: '2026-12-01', holidays: [{ date: '2026-12-28', name: 'Election' }] }
    applyCalendarLists([late])
    const calendar = calendarOf('nse-index')
    expect([calendar.sessionOn('2026-11-24'), calendar.sessionOn('2026-12-28')]).toEqual([null, null])
    // Christmas is a holiday of every year, also where a list leaves it out.
    expect(calendar.sessionOn('2026-12-25')).toBeNull()
  })

  it('is merged with a later one, which keeps what is over', () => {
    const later = listFrom(
      { ...nse2027(), source: 'A correction', holidays: [{ date: '2027-05-10', name: 'Election' }], specialSessions: [] },
      '2027-05-01',
    )
    const merged = mergeLists(nse2027(), later)
    expect([merged.from, merged.until, merged.source]).toEqual(['2027-01-01', '2027-12-31', 'A correction'])
    expect(merged.holidays.map(({ date }) => date)).toEqual(['2027-01-26', '2027-05-10'])
    expect(merged.specialSessions.map(({ date }) => date)).toEqual(['2027-02-06'])
  })
})
