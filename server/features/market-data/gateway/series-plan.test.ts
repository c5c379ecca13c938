// The trading hours of a source's candles: those of the instrument, even if something else is shown instead.
import { expect, test } from 'vitest'
import { instruments } from '#shared/instruments/instruments.ts'
import { calendarOf } from '#shared/trading-hours/calendar.ts'
import { sourceNames, type DemoHours, type Feed, type SourceName } from '../feed.ts'
import { manualClock } from '../feeds/testing/manual-clock.ts'
import { parseLicences } from '../licences.ts'
import { planSeries } from './series-plan.ts'

const nowMs = Date.parse('2026-11-20T06:00Z')
const licences = parseLicences(
  'nse=licensed:1,bse=licensed:2,cme=licensed:3,kite=licensed:4,openalgo=licensed:5,twelve-data=licensed:6,yahoo=licensed:7',
)

function feedOf(source: SourceName): Feed {
  return {
    source,
    steps: ['1m', '1h', '1D'],
    live: 'minutes',
    history: () => Promise.resolve([]),
    watch: () => () => undefined,
    close: () => Promise.resolve(),
  }
}

function planOf(series: string, demoHours?: DemoHours) {
  if (typeof licences === 'string') throw new Error(licences)
  const feeds = new Map(sourceNames.filter((source) => source !== 'demo').map((source) => [source, feedOf(source)]))
  const hours = demoHours === undefined ? {} : { demoHours }
  return planSeries({ feeds, licences, demo: feedOf('demo'), clock: manualClock(nowMs), ...hours }, series, '2026-11-20')
}

test.each([...new Set(instruments.map(({ series }) => series))])('every source of %s keeps its hours', (series) => {
  const instrument = instruments.find((one) => one.series === series)
  const real = planOf(series)?.candidates.filter(({ feed }) => feed.source !== 'demo') ?? []
  expect(real.length).toBeGreaterThan(0)
  expect(real.map(({ sessionClass }) => sessionClass)).toEqual(real.map(() => instrument?.sessionClass))
})

test('a token that trades at weekends represents gold during the hours of gold only', () => {
  const token = planOf('xau-usd')?.candidates.find(({ feed }) => feed.source === 'binance')
  expect(token).toMatchObject({ symbol: 'PAXGUSDT', sessionClass: 'metals', label: { proxy: 'PAX Gold token (PAXG)' } })
  expect(calendarOf('metals').sessionAt(Date.parse('2026-11-21T12:00Z'))).toBeNull()
})

test.each([
  [undefined, 'crypto'],
  ['always', 'crypto'],
  ['session', 'nse-index'],
] as const)('generated prices with hours %s trade as %s', (hours, sessionClass) => {
  expect(planOf('nifty', hours)?.candidates.at(-1)).toMatchObject({ sessionClass, label: { mode: 'demo' } })
})
