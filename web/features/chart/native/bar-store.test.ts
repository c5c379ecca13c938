// The candle store: merging, order, and the reported change.
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import type { CandleRow } from '#shared/market-data/live/contract.ts'
import { barStore, type BarStore, type StoreChange } from './bar-store.ts'

const row = (timeMs: number, close = timeMs): CandleRow => [timeMs, close, close + 1, close - 1, close, null, null]

function storeOf(...stamps: number[]): BarStore {
  const store = barStore()
  store.reset(stamps.map((stamp) => row(stamp)))
  return store
}

const stampsOf = ({ bars }: BarStore) => [...bars.timeMs.subarray(0, bars.length)]
const closesOf = ({ bars }: BarStore) => [...bars.close.subarray(0, bars.length)]

describe('bar store', () => {
  it.each<readonly [string, CandleRow[], StoreChange, number[], number[]]>([
    ['nothing for no bars', [], 'none', [10, 20], [10, 20]],
    ['nothing for a bar that it has', [row(20)], 'none', [10, 20], [10, 20]],
    ['the last bar', [row(20, 7)], 'last', [10, 20], [10, 7]],
    ['a bar behind the last', [row(30)], 'append', [10, 20, 30], [10, 20, 30]],
    ['the last bar and one behind it', [row(20, 7), row(30)], 'append', [10, 20, 30], [10, 7, 30]],
    ['a bar that is corrected', [row(10, 7)], 'all', [10, 20], [7, 20]],
    ['a bar in between', [row(15)], 'all', [10, 15, 20], [10, 15, 20]],
    ['a bar before the first', [row(5)], 'all', [5, 10, 20], [5, 10, 20]],
  ])('merges %s', (_, rows, change, stamps, closes) => {
    const store = storeOf(10, 20)
    expect(store.merge(rows)).toBe(change)
    expect(stampsOf(store)).toEqual(stamps)
    expect(closesOf(store)).toEqual(closes)
  })

  it('prepends only bars before the first one', () => {
    const store = storeOf(30, 40)
    expect(store.prepend([row(10), row(20), row(30, 1), row(50, 1)])).toBe(2)
    expect(closesOf(store)).toEqual([10, 20, 30, 40])
  })

  it.each<readonly [string, [number, number], CandleRow[], boolean, number[], number[]]>([
    ['equal bars', [10, 30], [row(10), row(20)], false, [10, 20, 30, 40], [10, 20, 30, 40]],
    ['another value', [10, 30], [row(10), row(20, 7)], true, [10, 20, 30, 40], [10, 7, 30, 40]],
    ['more bars', [10, 30], [row(10), row(15), row(20), row(25)], true, [10, 15, 20, 25, 30, 40], [10, 15, 20, 25, 30, 40]],
    ['fewer bars', [10, 40], [row(20)], true, [20, 40], [20, 40]],
    ['the end', [30, Infinity], [row(30, 7), row(40), row(50)], true, [10, 20, 30, 40, 50], [10, 20, 7, 40, 50]],
    ['the start', [-Infinity, 20], [], true, [20, 30, 40], [20, 30, 40]],
    ['a range without bars', [31, 39], [], false, [10, 20, 30, 40], [10, 20, 30, 40]],
  ])('replaces a range by %s', (_, [fromMs, toMs], rows, isOther, stamps, closes) => {
    const store = storeOf(10, 20, 30, 40)
    expect(store.replace({ fromMs, toMs }, rows)).toBe(isOther)
    expect(stampsOf(store)).toEqual(stamps)
    expect(closesOf(store)).toEqual(closes)
  })

  it('clears everything on a reset and keeps unknown volumes unknown', () => {
    const store = storeOf(10, 20, 30)
    store.reset([[70, 1, 2, 0.5, 1.5, null, 3]])
    expect(stampsOf(store)).toEqual([70])
    expect(store.bars.volume[0]).toBeNaN()
    expect(store.bars.takerBuyVolume[0]).toBe(3)
  })

  it.each([
    [9, -1],
    [10, 0],
    [19, 0],
    [20, 1],
    [99, 2],
  ])('finds the bar at %i', (timeMs, index) => {
    expect(storeOf(10, 20, 30).indexAt(timeMs)).toBe(index)
  })

  it('holds the newest version of each bar in order, however bars arrive', async () => {
    const stamps = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 40 })
    await assertProperty(
      fc.property(fc.array(stamps, { maxLength: 8 }), (batches) => {
        const store = barStore()
        const truth = new Map<number, number>()
        let close = 0
        for (const batch of batches) {
          const rows = [...new Set(batch)].toSorted((one, other) => one - other).map((stamp) => row(stamp, (close += 1)))
          for (const [stamp, , , , last] of rows) truth.set(stamp, last)
          store.merge(rows)
        }
        const sorted = [...truth].toSorted(([one], [other]) => one - other)
        expect(stampsOf(store)).toEqual(sorted.map(([stamp]) => stamp))
        expect(closesOf(store)).toEqual(sorted.map(([, last]) => last))
      }),
    )
  })

  it('grows far beyond its initial capacity', () => {
    const store = barStore()
    store.reset(Array.from({ length: 5_000 }, (_, at) => row(at)))
    expect(store.prepend(Array.from({ length: 3_000 }, (_, at) => row(at - 3_000)))).toBe(3_000)
    expect(store.bars.length).toBe(8_000)
    expect(store.bars.timeMs[0]).toBe(-3_000)
    expect(store.bars.timeMs[7_999]).toBe(4_999)
  })
})
