// One value per minute: ascending, bounded, each change drained once.
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { MinuteBuffer } from './minute-buffer.ts'

type Put = readonly [timeMs: number, value: string]

/** A buffer of at most three minutes. */
function bufferOf(...puts: readonly Put[]): MinuteBuffer<string> {
  const buffer = new MinuteBuffer<string>(3)
  for (const [timeMs, value] of puts) buffer.put(timeMs, value)
  return buffer
}

describe('an empty buffer', () => {
  it('returns nothing', () => {
    const buffer = bufferOf()
    expect([buffer.values(), buffer.drain(), buffer.trim(), buffer.get(1), buffer.newestMs]).toEqual([[], [], [], undefined, -Infinity])
  })

  it('results from clear, and sorts later minutes again', () => {
    const buffer = bufferOf([2, 'b'], [1, 'a'])
    buffer.clear()
    expect([buffer.values(), buffer.drain(), buffer.trim(), buffer.newestMs]).toEqual([[], [], [], -Infinity])
    buffer.put(2, 'b')
    buffer.put(1, 'a')
    expect([buffer.values(), buffer.drain(), buffer.newestMs]).toEqual([['a', 'b'], ['a', 'b'], 2])
  })
})

describe('a minute', () => {
  const rows: readonly (readonly [why: string, puts: readonly Put[], values: string, newestMs: number])[] = [
    [
      'is kept in ascending order',
      [
        [1, 'a'],
        [2, 'b'],
        [3, 'c'],
      ],
      'abc',
      3,
    ],
    [
      'is sorted when it arrives late',
      [
        [3, 'c'],
        [1, 'a'],
        [2, 'b'],
      ],
      'abc',
      3,
    ],
    [
      'replaces its earlier value',
      [
        [1, 'a'],
        [2, 'b'],
        [1, 'A'],
      ],
      'Ab',
      2,
    ],
    [
      'replaces the newest value',
      [
        [1, 'a'],
        [2, 'b'],
        [2, 'B'],
      ],
      'aB',
      2,
    ],
  ]
  it.each(rows)('%s', (_why, puts, values, newestMs) => {
    const buffer = bufferOf(...puts)
    expect(buffer.values().join('')).toBe(values)
    expect(buffer.drain().join('')).toBe(values)
    expect(buffer.newestMs).toBe(newestMs)
  })
})

describe('a drain', () => {
  it('returns each change once, with the latest value of its minute', () => {
    const buffer = bufferOf([1, 'a'], [2, 'b'])
    expect(buffer.drain()).toEqual(['a', 'b'])
    buffer.put(2, 'c')
    buffer.put(1, 'd')
    buffer.put(2, 'e')
    expect(buffer.drain()).toEqual(['d', 'e'])
    expect(buffer.drain()).toEqual([])
    expect(buffer.values()).toEqual(['d', 'e'])
  })

  it('returns a long batch completely before a trim, and nothing evicted after it', () => {
    const batch = [
      [4, 'd'],
      [2, 'b'],
      [3, 'c'],
      [1, 'a'],
    ] as const
    expect(bufferOf(...batch).drain()).toEqual(['a', 'b', 'c', 'd'])
    const trimmed = bufferOf(...batch)
    expect(trimmed.trim()).toEqual([1])
    expect(trimmed.drain()).toEqual(['b', 'c', 'd'])
  })
})

it('behaves like a sorted list', async () => {
  const put = fc.record({ kind: fc.constant('put' as const), timeMs: fc.nat(20), value: fc.string({ maxLength: 3 }) })
  const other = fc.constantFrom('drain' as const, 'trim' as const, 'clear' as const).map((kind) => ({ kind }))
  await assertProperty(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.array(fc.oneof({ weight: 5, arbitrary: put }, other)), (minutesMax, steps) => {
      const buffer = new MinuteBuffer<string>(minutesMax)
      let listed: { timeMs: number; value: string; isChanged: boolean }[] = []
      for (const step of steps) {
        if (step.kind === 'put') {
          const { timeMs, value } = step
          buffer.put(timeMs, value)
          listed = [...listed.filter((one) => one.timeMs !== timeMs), { timeMs, value, isChanged: true }]
          listed = listed.toSorted((one, two) => one.timeMs - two.timeMs)
        } else if (step.kind === 'drain') {
          expect(buffer.drain()).toEqual(listed.filter(({ isChanged }) => isChanged).map(({ value }) => value))
          listed = listed.map((one) => ({ ...one, isChanged: false }))
        } else if (step.kind === 'trim') {
          const excess = Math.max(0, listed.length - minutesMax)
          expect(buffer.trim()).toEqual(listed.slice(0, excess).map(({ timeMs }) => timeMs))
          listed = listed.slice(excess)
        } else {
          buffer.clear()
          listed = []
        }
        expect(buffer.values()).toEqual(listed.map(({ value }) => value))
        expect(buffer.newestMs).toBe(listed.at(-1)?.timeMs ?? -Infinity)
        for (const { timeMs, value } of listed) expect(buffer.get(timeMs)).toBe(value)
      }
    }),
  )
})
