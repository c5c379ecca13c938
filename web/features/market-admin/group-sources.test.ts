// One line per source and reason, however many series share it.
import { expect, it } from 'vitest'
import type { MarketSeries, MarketSource } from '#shared/market-admin/contract.ts'
import { groupSources } from './group-sources.ts'

const refused = (holder: string) => ({ holder, mode: 'refused', reference: null, delayMinutes: 0 }) as const
const source = (name: string, change: Partial<MarketSource> = {}): MarketSource => ({
  source: name,
  title: name.toUpperCase(),
  symbol: 'X',
  proxy: null,
  licences: [],
  issues: [],
  missing: [],
  failure: null,
  isAnswering: true,
  ...change,
})

function series(label: string, sources: MarketSource[], shown?: string): MarketSeries {
  const condition = {
    label: { mode: 'live', source: shown ?? '', delayMinutes: 0, proxy: null },
    sessionClass: 'fx',
    isStale: false,
    reason: null,
  } as const
  return {
    series: label,
    labels: [label],
    name: label,
    sessionClass: 'fx',
    hours: { isOpen: true, opensAtMs: null, reason: null },
    sources,
    condition: shown === undefined ? null : condition,
  }
}

it('says the same reason of many series once, with their labels', () => {
  const yahoo = (holder: string) => source('yahoo', { issues: ['needs-licence'], licences: [refused(holder)] })
  const rows = ['A', 'B', 'C'].map((label) => series(label, [source('kraken'), yahoo('yahoo')]))
  expect(groupSources([...rows, series('D', [yahoo('nse')])])).toEqual([
    { source: 'kraken', title: 'KRAKEN', state: 'ready', failure: null, parts: [{ details: '', labels: ['A', 'B', 'C'] }] },
    {
      source: 'yahoo',
      title: 'YAHOO',
      state: 'not-used',
      failure: null,
      parts: [
        { details: 'needs a licence of Yahoo', labels: ['A', 'B', 'C'] },
        { details: 'needs a licence of NSE', labels: ['D'] },
      ],
    },
  ])
})

it.each([
  ['a source in use', source('kraken'), 'KRAKEN', 'in-use', null],
  ['generated prices', source('demo'), undefined, 'generated', null],
  ['one in use that does not answer', source('kraken', { failure: 'cut' }), 'KRAKEN', 'failing', 'cut'],
  ['one that answers', source('kraken'), undefined, 'ready', null],
  ['one that was not asked', source('kraken', { isAnswering: false }), undefined, 'untested', null],
  ['one that cannot be reached', source('kraken', { isAnswering: false, failure: 'cut' }), undefined, 'failing', 'cut'],
  [
    'one that is not set up',
    source('kraken', { isAnswering: false, failure: 'cut', issues: ['not-switched-on'] }),
    undefined,
    'not-used',
    null,
  ],
] as const)('%s is never ready beside a failure', (_, one, shown, state, failure) => {
  expect(groupSources([series('A', [one], shown)])).toMatchObject([{ state, failure }])
})
