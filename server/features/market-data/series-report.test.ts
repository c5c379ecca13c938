// The report lists exactly the sources that the hub would try, in the same order.
import { expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { seriesKeys } from '#shared/instruments/instrument-facts.ts'
import { manualClock } from './feeds/testing/manual-clock.ts'
import { sourceNames, type Feed, type SourceName } from './feed.ts'
import { planSeries } from './gateway/series-plan.ts'
import { parseLicences } from './licences.ts'
import { seriesReport } from './series-report.ts'

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
