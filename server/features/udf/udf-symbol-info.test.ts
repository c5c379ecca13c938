// Symbol info for chart libraries: the price status in protocol terms, and the rest in the description.
import { expect, test } from 'vitest'
import type { DataLabel } from '#shared/candles/candle.ts'
import { findInstrument } from '#shared/instruments/instruments.ts'
import type { SourceName } from '#server/features/market-data/feed.ts'
import { symbolInfoOf } from './udf-symbol-info.ts'

const label: DataLabel = { mode: 'live', source: 'A source', delayMinutes: 0, proxy: null }

test.each<readonly [SourceName | null, Partial<DataLabel> | null, isStale: boolean, status: string, delay: number, facts: string]>([
  ['binance', {}, false, 'streaming', 0, 'A source'],
  ['binance', {}, true, 'streaming', 0, 'A source, stale'],
  ['yahoo', {}, false, 'pulsed', 0, 'A source'],
  ['demo', { mode: 'demo' }, false, 'pulsed', 0, 'demo, no market data'],
  ['kite', { mode: 'delayed', delayMinutes: 15 }, false, 'delayed_streaming', 900, 'A source, delayed 15 min'],
  [
    'kite',
    { mode: 'education', delayMinutes: 43_200 },
    false,
    'delayed_streaming',
    2_592_000,
    'A source, delayed 30 days, for education only',
  ],
  ['csv', { mode: 'end-of-day' }, false, 'endofday', 0, 'A source, end of day'],
  ['binance', { proxy: 'PAX Gold token (PAXG)' }, false, 'streaming', 0, 'A source, proxy: PAX Gold token (PAXG)'],
  [null, null, false, 'endofday', 0, 'no prices at the moment'],
])('%s with %j (stale: %s) is %s', (source, given, isStale, status, delay, facts) => {
  const instrument = findInstrument('xau-usd')
  if (instrument === undefined) throw new Error('no gold')
  const shown = {
    source,
    label: given === null ? null : { ...label, ...given },
    sessionClass: 'metals',
    isStale,
    reason: null,
    adjustment: 'none',
  } as const
  expect(symbolInfoOf(instrument, shown, Date.parse('2026-11-20T06:30:00Z'))).toMatchObject({
    data_status: status,
    delay,
    description: `Gold Spot / US Dollar (${facts})`,
  })
})
