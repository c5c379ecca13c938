// Badge texts, derived from feed, connection and trading hours.
import { describe, expect, it } from 'vitest'
import { dataModes, type DataLabel } from '#shared/candles/candle.ts'
import { badgesLine, feedBadges, widgetBadges, type WidgetState } from './market-badge.ts'
import { sessionClasses, type SessionClass } from '#shared/trading-hours/session-class.ts'

const zone = 'Asia/Kolkata'
const open = '2026-11-20T12:00+05:30'
const saturday = '2026-11-21T12:00+05:30'
const label: DataLabel = { mode: 'live', source: 'Binance', delayMinutes: 0, proxy: null }

interface FeedRow {
  readonly label?: Partial<DataLabel> | null
  readonly hours?: SessionClass
  readonly at?: string
  readonly isStale?: boolean
  readonly isConnected?: boolean
  readonly zone?: string
}

const isNull = (given: FeedRow['label']): given is null => given === null

function feed(row: FeedRow) {
  const { hours = 'nse-index', at = open, isStale = false, isConnected = true } = row
  const condition = {
    label: isNull(row.label) ? null : { ...label, ...row.label },
    sessionClass: hours,
    isStale,
    reason: null,
  }
  return feedBadges({ condition, isConnected }, { nowMs: Date.parse(at), zone: row.zone ?? zone })
}

describe('badges of our own prices', () => {
  it.each<readonly [why: string, FeedRow, text: string]>([
    ['no prices, so that nothing looks like one', { label: null, isStale: true, isConnected: false }, ''],
    ['an open market', {}, 'LIVE'],
    ['a closed market', { at: saturday }, 'CLOSED (opens Mon 9:15 AM)'],
    ['the last millisecond of a day', { at: '2026-11-20T15:34:59.999+05:30' }, 'LIVE'],
    ['the close', { at: '2026-11-20T15:35+05:30' }, 'CLOSED (opens Mon 9:15 AM)'],
    ['a holiday tomorrow', { at: '2026-11-23T20:00+05:30' }, 'CLOSED (opens Wed 9:15 AM)'],
    ['currencies on a Sunday', { hours: 'fx', at: '2026-11-22T12:00+05:30' }, 'CLOSED (opens Mon 3:30 AM)'],
    ['the same in London', { hours: 'fx', at: '2026-11-22T12:00Z', zone: 'Europe/London' }, 'CLOSED (opens Sun 10:00 PM)'],
    ['crypto on a Sunday', { hours: 'crypto', at: '2026-11-22T12:00+05:30' }, 'LIVE'],
    ['a calendar that has run out', { at: '2031-01-01T23:00+05:30' }, 'CLOSED'],
    ['late prices', { label: { mode: 'delayed', delayMinutes: 15 } }, 'DELAYED 15 min'],
    [
      'late prices just after the close',
      { label: { mode: 'delayed', delayMinutes: 15 }, at: '2026-11-20T15:49:59+05:30' },
      'DELAYED 15 min',
    ],
    [
      'late prices of a closed market',
      { label: { mode: 'delayed', delayMinutes: 15 }, at: '2026-11-20T15:50+05:30' },
      'DELAYED 15 min, CLOSED (opens Mon 9:15 AM)',
    ],
    [
      'late prices just after the opening',
      { label: { mode: 'delayed', delayMinutes: 15 }, at: '2026-11-23T09:16+05:30' },
      'DELAYED 15 min',
    ],
    ['prices for education', { label: { mode: 'education', delayMinutes: 43_200 }, at: saturday }, 'DELAYED 30 days'],
    ['a long delay', { label: { mode: 'delayed', delayMinutes: 1_440 } }, 'DELAYED 1 day'],
    ['daily prices', { label: { mode: 'end-of-day' } }, 'END OF DAY'],
    ['daily prices on a Saturday', { label: { mode: 'end-of-day' }, at: saturday }, 'END OF DAY'],
    ['generated prices', { label: { mode: 'demo' }, hours: 'crypto', at: saturday }, 'DEMO'],
    ['generated prices that keep hours', { label: { mode: 'demo' }, at: saturday }, 'DEMO, CLOSED (opens Mon 9:15 AM)'],
    ['a substitute', { label: { proxy: 'PAX Gold token (PAXG)' }, hours: 'crypto' }, 'LIVE, PROXY: PAX Gold token (PAXG)'],
    ['a silent source', { isStale: true }, 'STALE'],
    ['a lost connection', { isConnected: false }, 'STALE'],
    ['both', { isStale: true, isConnected: false }, 'STALE'],
    ['a lost connection on a closed market', { isConnected: false, at: saturday }, 'CLOSED (opens Mon 9:15 AM), STALE'],
    ['late prices that stopped', { label: { mode: 'delayed', delayMinutes: 15 }, isStale: true }, 'DELAYED 15 min, STALE'],
    ['a kind of a newer server', { label: { mode: 'tomorrow' as never } }, 'DEMO'],
  ])('for %s', (_why, row, text) => {
    expect(badgesLine(feed(row))).toBe(text)
  })

  it('show LIVE only for a live feed in trading hours with a working connection', () => {
    const moments = [open, saturday, '2026-11-22T20:00+05:30', '2026-12-25T12:00+05:30', '2026-11-23T03:00+05:30']
    const lines = [
      [false, true],
      [true, true],
      [false, false],
      [true, false],
    ] as const
    const rows = dataModes.flatMap((mode) =>
      sessionClasses.flatMap((hours) =>
        moments.flatMap((at) => lines.map(([isStale, isConnected]) => ({ mode, hours, at, isStale, isConnected }))),
      ),
    )
    for (const { mode, ...row } of rows) {
      const { isStale, isConnected } = row
      const texts = feed({ ...row, label: { mode, delayMinutes: mode === 'delayed' ? 15 : 0 } }).map(({ text }) => text)
      expect(new Set(texts).size).toBe(texts.length)
      expect(texts.length).toBeGreaterThan(0)
      const isClosed = texts.some((text) => text.startsWith('CLOSED'))
      expect(texts.includes('LIVE')).toBe(mode === 'live' && !isStale && isConnected && !isClosed)
      expect(texts.includes('STALE')).toBe(isStale || !isConnected)
    }
  })

  it('have a note where the text needs one, and a short text for menus', () => {
    expect(feed({ at: '2026-11-23T20:00+05:30' })).toEqual([
      { text: 'CLOSED (opens Wed 9:15 AM)', shortText: 'CLOSED', tone: 'plain', note: 'Holiday: Guru Nanak Jayanti' },
    ])
    expect(feed({ isConnected: false })[0]?.note).toMatch(/reconnect/)
    expect(feed({ isStale: true })[0]?.note).toMatch(/source/)
  })
})

describe('badges of the widget', () => {
  const shown: WidgetState = { load: 'shown', isOnline: true, carries: 'live', sessionClass: 'fx', proxy: null }
  it.each<readonly [why: string, Partial<WidgetState>, at: string, text: string]>([
    ['while it loads', { load: 'loading' }, open, 'CONNECTING'],
    ['while it loads daily candles', { load: 'loading', carries: 'end-of-day' }, open, 'CONNECTING'],
    ['while it loads without a network', { load: 'loading', isOnline: false }, open, 'CONNECTING'],
    ['where it failed', { load: 'failed' }, open, ''],
    ['where it failed without a network', { load: 'failed', isOnline: false }, open, ''],
    ['on an open market', {}, open, 'LIVE'],
    ['on a closed market', {}, saturday, 'CLOSED (opens Mon 3:30 AM)'],
    ['without a network', { isOnline: false }, open, 'STALE'],
    ['without a network on a closed market', { isOnline: false }, saturday, 'CLOSED (opens Mon 3:30 AM), STALE'],
    ['of an end of day symbol', { carries: 'end-of-day', sessionClass: 'bse-index' }, open, 'END OF DAY'],
    ['of an end of day symbol on a Saturday', { carries: 'end-of-day', sessionClass: 'bse-index' }, saturday, 'END OF DAY'],
    ['of an end of day symbol without a network', { carries: 'end-of-day', isOnline: false }, open, 'END OF DAY, STALE'],
    ['of a substitute', { proxy: 'S&P 500 CFD', sessionClass: 'cme' }, open, 'LIVE, PROXY: S&P 500 CFD'],
    [
      'of a substitute outside its own hours',
      { proxy: 'S&P 500 CFD', sessionClass: 'cme' },
      saturday,
      'CLOSED (opens Mon 4:30 AM), PROXY: S&P 500 CFD',
    ],
    ['of a substitute of unknown hours', { proxy: 'Some CFD', sessionClass: undefined }, open, 'PROXY: Some CFD'],
    [
      'of a daily substitute',
      { proxy: 'Nifty BeES ETF', carries: 'end-of-day', sessionClass: 'nse-index' },
      open,
      'END OF DAY, PROXY: Nifty BeES ETF',
    ],
    ['of a substitute that loads', { load: 'loading', proxy: 'Nifty BeES ETF' }, open, 'CONNECTING'],
  ])('%s', (_why, given, at, text) => {
    expect(badgesLine(widgetBadges({ ...shown, ...given }, { nowMs: Date.parse(at), zone }))).toBe(text)
  })
})
