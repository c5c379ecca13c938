// Legend values of a bar, and of several grouped bars.
import { describe, expect, it } from 'vitest'
import { createBarColumns } from '#shared/indicators/lib/bar-columns.ts'
import { barTexts, frameAt } from './legend-snapshot.ts'
import { momentText } from '#web/features/market-data/price-text.ts'

const bars = createBarColumns(4)
bars.timeMs.set(['2026-11-20T09:15Z', '2026-11-20T09:16Z', '2026-11-20T09:17Z', '2026-11-23T09:15Z'].map((text) => Date.parse(text)))
bars.open.set([10, 12, 11, 13])
bars.high.set([13, 15, 12, 14])
bars.low.set([9, 11, 8, 12])
bars.close.set([12, 11, 9, 12])
bars.volume.set([100, Number.NaN, 300, Number.NaN])
bars.length = 4

const textsOf = (from: number, to: number) =>
  barTexts({ bars, text: { price: String, change: String }, momentOf: (ms) => momentText(ms, false) }, { from, to })

describe('the legend', () => {
  it('shows a bar with its change since the previous close', () => {
    expect(textsOf(1, 2)).toEqual({
      index: 1,
      moment: 'Fri 20 Nov 2026  9:16 AM',
      open: '12',
      high: '15',
      low: '11',
      close: '11',
      change: '-1 (\u22128.33%)',
      isUp: false,
      volume: undefined,
    })
  })

  it('shows grouped bars as one, with the volume as far as it is known', () => {
    expect(textsOf(0, 3)).toEqual({
      index: 2,
      moment: 'Fri 20 Nov 2026  9:15 AM \u2013 9:17 AM (3 bars)',
      open: '10',
      high: '15',
      low: '8',
      close: '9',
      change: '-1 (\u221210.00%)',
      isUp: false,
      volume: '400',
    })
    expect(textsOf(2, 4)).toMatchObject({ moment: 'Fri 20 Nov 2026  9:17 AM \u2013 Mon 23 Nov 2026  9:15 AM (2 bars)', volume: '300' })
  })

  it('says at the bar after it that a candle is missing', () => {
    const eventsAt = (picked: number) =>
      frameAt({
        model: { shown: { bars }, actions: [], missing: [2] },
        window: { from: 0, to: 4, step: 1 },
        picked,
        texts: { bar: ({ from, to }) => textsOf(from, to) },
        isStartSeen: false,
        isNewestSeen: true,
        layers: { readings: () => [] },
      }).events
    expect([1, 2, 3].map(eventsAt)).toEqual([[], ['A candle is missing before this one: the source sent prices that cannot be true.'], []])
  })

  it('shows the start of the data when it is in view', () => {
    const frame = (isStartSeen: boolean) =>
      frameAt({
        model: { shown: { bars }, actions: [], missing: [2] },
        window: { from: 0, to: 4, step: 1 },
        picked: undefined,
        texts: { bar: ({ from, to }) => textsOf(from, to) },
        isStartSeen,
        isNewestSeen: true,
        layers: { readings: () => [] },
      })
    expect(frame(true).startsOn).toBe('Fri 20 Nov 2026')
    expect(frame(false).startsOn).toBeUndefined()
  })
})
