// Price jumps: what confirms them, and what refutes them.
import { describe, expect, it } from 'vitest'
import { minuteMs, secondMs } from '#shared/base/durations.ts'
import type { Candle } from './candle.ts'
import { checkRows, jumpGuard } from './jump-guard.ts'

const noonMs = Date.parse('2026-11-20T12:00Z')

/** An update at a number of seconds after noon. */
const at = (seconds: number, close: number, high = close + close / 100): Candle => ({
  timeMs: noonMs + Math.floor(seconds / 60) * minuteMs,
  open: close,
  high,
  low: close - close / 100,
  close,
  volume: 5,
  takerBuyVolume: 2,
})
type Step = readonly [seconds: number, close: number, high?: number]

function guardFrom(lastClose: number | undefined) {
  const dropped: number[] = []
  const guard = jumpGuard<Candle>({ candleOf: (candle) => candle, lastClose, onDropped: ({ close }) => dropped.push(close) })
  const take = ([seconds, ...prices]: Step): readonly number[] =>
    guard.take(at(seconds, ...prices), noonMs + seconds * secondMs).map(({ close }) => close)
  return { guard, take, dropped }
}

describe('a jump from 100', () => {
  const rows: readonly (readonly [why: string, updates: readonly Step[], used: readonly (readonly number[])[]])[] = [
    ['of a fifth is none', [[0, 118]], [[118]]],
    ['is refuted by the next price', [[0, 150], [1, 101]], [[], [101]]],
    ['is not confirmed by a second one at once', [[0, 150], [0, 151], [0, 152]], [[], [], []]],
    ['is not confirmed by its own repetition', [[0, 150], [20, 150], [40, 150], [60, 100]], [[], [], [], [100]]],
    ['is not confirmed elsewhere', [[0, 150], [6, 50], [12, 51], [13, 101]], [[], [], [], [101]]],
    ['of a wick alone waits', [[0, 100, 500], [2, 100]], [[], [100]]],
    ['is used with all its updates after three prices in ten seconds', [[0, 150], [5, 151], [10, 152], [11, 152]], [[], [], [150, 151, 152], [152]]],
    ['down is one, too', [[0, 70], [5, 71], [10, 72]], [[], [], [70, 71, 72]]],
    ['to a tenth, as after a split, is no more', [[0, 10], [5, 10.1], [10, 10.2]], [[], [], [10, 10.1, 10.2]]],
    ['that does not move is used after half an hour', [[0, 70], [600, 70], [1_800, 70]], [[], [], [70, 70, 70]]],
  ] // prettier-ignore
  it.each(rows)('%s', (_why, updates, used) => {
    const { take } = guardFrom(100)
    expect(updates.map(take)).toEqual(used)
  })

  it.each([0.0001, 10_000])('to %d takes ten prices in five minutes', (price) => {
    const { take } = guardFrom(100)
    const updates = Array.from({ length: 31 }, (_, index) => take([index * 10, price * (1 + index / 1_000)]).length)
    expect(updates).toEqual([...Array.from({ length: 30 }, () => 0), 31])
  })

  it('keeps the newest updates only, and says so of the others', () => {
    const { take, dropped } = guardFrom(100)
    for (let index = 0; index < 600; index += 1) take([0, 150])
    expect(dropped).toHaveLength(100)
  })
})

describe('a candle of history', () => {
  it('confirms a jump at once', () => {
    const { take, guard } = guardFrom(100)
    expect(take([0, 150])).toEqual([])
    expect(guard.agrees(at(0, 152))).toBe(true)
    expect(guard.compare(at(0, 152))).toHaveLength(1)
    expect(take([1, 151])).toEqual([151])
  })

  it('refutes a jump of its time, but none of later', () => {
    const { take, guard, dropped } = guardFrom(100)
    take([60, 150])
    expect(guard.compare(at(0, 101))).toEqual([])
    expect(dropped).toEqual([])
    expect(guard.compare(at(60, 101))).toEqual([])
    expect(dropped).toEqual([150])
  })

  it('does not confirm a wick that only one of both shows', () => {
    const { take, guard } = guardFrom(100)
    take([0, 150])
    expect(guard.agrees(at(0, 150, 15_000))).toBe(false)
    take([1, 100, 10_000])
    expect(guard.agrees(at(0, 100))).toBe(false)
  })
})

describe('where no price is known', () => {
  it('the first one is held until history is there', () => {
    const { take, guard } = guardFrom(undefined)
    expect(take([0, 0.0001])).toEqual([])
    expect(guard.compare(at(-60, 100))).toEqual([])
    expect(take([1, 101])).toEqual([101])
  })

  it('the first one is trusted if there is no history', () => {
    const { take, guard } = guardFrom(undefined)
    expect(take([0, 150])).toEqual([])
    expect(guard.trustFirst()).toHaveLength(1)
    const later = guardFrom(undefined)
    later.guard.trustFirst()
    expect(later.take([0, 150])).toEqual([150])
  })
})

describe('rows of history', () => {
  const minutes = (...closes: readonly number[]): Candle[] => closes.map((close, index) => at(index * 60, close))
  const closesOf = (rows: readonly Candle[]): number[] => rows.map(({ close }) => close)
  const check = (closes: readonly number[], lastClose?: number) => {
    const { confirmed, refuted, open } = checkRows(minutes(...closes), { lastClose })
    return [closesOf(confirmed), closesOf(refuted), closesOf(open)]
  }

  it('that the others refute are named, also the first one and two in a row', () => {
    expect(check([0.0001, 100, 101, 0.0001, 0.0001, 102])).toEqual([[100, 101, 102], [0.0001, 0.0001, 0.0001], []])
  })

  it('at a new price are confirmed by three, and open before', () => {
    expect(check([100, 101, 102, 150, 151, 152])).toEqual([[100, 101, 102, 150, 151, 152], [], []])
    expect(check([101, 150, 151], 100)).toEqual([[101], [], [150, 151]])
  })

  it('are confirmed by a stream that has their price', () => {
    const { confirmed } = checkRows(minutes(101, 150), { lastClose: 100, isSeen: ({ close }) => close === 150 })
    expect(closesOf(confirmed)).toEqual([101, 150])
  })
})
