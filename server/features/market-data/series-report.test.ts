// The report lists exactly the sources that the hub would try, in the same order; what the Tezi chart can show of them.
import { expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import { seriesKeys } from '#shared/instruments/instrument-facts.ts'
import { manualClock } from './feeds/testing/manual-clock.ts'
import { sourceNames, type Feed, type SourceName } from './feed.ts'
import { planSeries } from './gateway/series-plan.ts'
import { parseLicences } from './licences.ts'
import { nativeSourceOf, seriesReport } from './series-report.ts'

const texts = [
  'nse=licensed:N',
  'bse=delayed-15:B',
  'nse=edu-30d:E',
  'kite=licensed:K',
  'openalgo=licensed:O',
  'cme=licensed:C',
  'twelve-data=licensed:T',
  'yahoo=licensed:Y',
]
const days = ['2025-10-20', '2025-10-24', '2026-11-21']

function feedOf(source: SourceName): Feed {
  return {
    source,
    steps: ['1m'],
    live: 'minutes',
    history: () => Promise.resolve([]),
    watch: () => () => undefined,
    close: () => Promise.resolve(),
  }
}

it('agrees with the plan of the hub for every series, whatever is switched on and licensed', async () => {
  const anySources = fc.subarray(sourceNames.filter((source) => source !== 'demo'))
  const setting = fc.record({ on: anySources, permits: fc.subarray(texts), hasDemo: fc.boolean(), day: fc.constantFrom(...days) })
  await assertProperty(
    fc.property(setting, ({ on, permits, hasDemo, day }) => {
      const licences = parseLicences(permits.join(','))
      if (typeof licences === 'string') throw new Error(licences)
      const plans = {
        feeds: new Map(on.map((source) => [source, feedOf(source)])),
        licences,
        demo: hasDemo ? feedOf('demo') : undefined,
        clock: manualClock(0),
      }
      const facts = {
        licences,
        sources: new Set(on),
        setup: { hasDemo, missing: new Map() },
        reach: new Map(),
        conditions: new Map(),
        nowMs: Date.parse(`${day}T10:00:00Z`),
      }
      for (const series of seriesKeys) {
        const usable = seriesReport(facts, series).sources.filter(({ issues }) => issues.length === 0)
        const planned = planSeries(plans, series, day)?.candidates.map(({ label, symbol }) => [label.source, symbol])
        expect(usable.map(({ title, symbol }) => [title, symbol])).toEqual(planned)
      }
    }),
  )
})

const labelled = (mode: 'live' | 'demo' | 'delayed' | 'end-of-day'): LiveCondition => ({
  label: { mode, source: 'x', delayMinutes: 0, proxy: null },
  sessionClass: 'nse-index',
  isStale: false,
  reason: null,
})
const without: LiveCondition = { label: null, sessionClass: 'nse-index', isStale: false, reason: 'The source is away.' }

type Row = readonly [
  key: string,
  sources: readonly SourceName[],
  licences: string,
  condition: LiveCondition | undefined,
  withDemo: string,
  without: string,
]

it.each<Row>([
  ['btc-usdt', ['binance'], '', undefined, 'real', 'real'],
  ['btc-usdt', [], '', undefined, 'demo', 'none'],
  ['btc-usdt', ['kraken'], '', undefined, 'demo', 'none'],
  ['nifty', ['kite'], 'nse=licensed:N', undefined, 'demo', 'none'],
  ['nifty', ['kite'], 'nse=licensed:N,kite=licensed:K', undefined, 'real', 'real'],
  ['eur-usd', ['twelve-data'], '', undefined, 'demo', 'none'],
  ['eur-usd', ['twelve-data'], 'twelve-data=licensed:T', undefined, 'real', 'real'],
  ['btc-usdt', ['binance'], '', labelled('demo'), 'demo', 'demo'],
  ['btc-usdt', ['binance'], '', labelled('delayed'), 'real', 'real'],
  ['reliance', ['csv'], 'nse=licensed:N', undefined, 'end-of-day', 'end-of-day'],
  ['reliance', ['csv', 'kite'], 'nse=licensed:N,kite=licensed:K', undefined, 'real', 'real'],
  ['reliance', ['csv', 'kite'], 'nse=licensed:N,kite=licensed:K', labelled('end-of-day'), 'end-of-day', 'end-of-day'],
  ['btc-usdt', ['binance'], '', without, 'real', 'real'],
])('of %s with %j under "%s", now %j: with demo %s, without %s', (key, sources, text, condition, withDemo, withoutDemo) => {
  const licences = parseLicences(text)
  if (typeof licences === 'string') throw new Error(licences)
  const facts = {
    reach: new Map(),
    conditions: new Map(condition === undefined ? [] : [[key, condition]]),
    nowMs: Date.parse('2026-11-20T06:00:00Z'),
  }
  const states = [true, false].map((hasDemo) => {
    const setup = { hasDemo, missing: new Map() }
    return nativeSourceOf({ ...facts, licences, sources: new Set(sources), setup }, key)
  })
  expect(states).toEqual([withDemo, withoutDemo])
})
