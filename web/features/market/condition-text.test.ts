// The words without which no price is shown.
import { describe, expect, it } from 'vitest'
import type { DataLabel } from '#shared/market/candles/candle.ts'
import { badgesOf } from './condition-text.ts'

const label: DataLabel = { mode: 'live', source: 'Binance', delayMinutes: 0, proxy: null }

function textsOf(given: Partial<DataLabel> | null, state: { readonly isStale?: boolean; readonly isConnected?: boolean } = {}): string[] {
  const { isStale = false, isConnected = true } = state
  const condition = { label: given === null ? null : { ...label, ...given }, sessionClass: 'crypto', isStale, reason: null } as const
  return badgesOf({ condition, isConnected }).map(({ text }) => text)
}

describe('the badges of a chart', () => {
  it('are none where nobody has prices, so that nothing looks like one', () => {
    expect(textsOf(null, { isStale: true, isConnected: false })).toEqual([])
  })

  it.each<readonly [Partial<DataLabel>, string[]]>([
    [{}, ['LIVE']],
    [{ mode: 'delayed', delayMinutes: 15 }, ['DELAYED 15 min']],
    [{ mode: 'end-of-day' }, ['END OF DAY']],
    [{ mode: 'education', delayMinutes: 43_200 }, ['EDUCATION (30 days old)']],
    [{ mode: 'demo' }, ['DEMO']],
    [{ proxy: 'PAX Gold' }, ['LIVE', 'PROXY of PAX Gold']],
  ])('%j says %j', (given, texts) => {
    expect(textsOf(given)).toEqual(texts)
  })

  it('add that prices have stopped, whether the source or our line is silent', () => {
    expect(textsOf({}, { isStale: true })).toEqual(['LIVE', 'STALE'])
    expect(textsOf({}, { isConnected: false })).toEqual(['LIVE', 'STALE'])
    expect(textsOf({}, { isStale: true, isConnected: false })).toEqual(['LIVE', 'STALE'])
  })
})
