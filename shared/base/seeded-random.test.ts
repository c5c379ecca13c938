// The generator must never change: seeded data, illustrations and drills depend on its numbers.
import { expect, it } from 'vitest'
import { seededRandom } from './seeded-random.ts'

const take = (seed: number, count: number) => {
  const random = seededRandom(seed)
  return Array.from({ length: count }, random)
}

it('returns the published numbers of mulberry32', () => {
  expect(take(1, 3).map((value) => value * 2 ** 32)).toEqual([2_693_262_067, 11_749_833, 2_265_367_787])
  expect(take(0, 1).map((value) => value * 2 ** 32)).toEqual([1_144_304_738])
})

it('is uniform over [0, 1), with other numbers for another seed', () => {
  const tenths = Array.from({ length: 10 }, () => 0)
  for (const value of take(7, 10_000)) tenths[Math.floor(value * 10)] = (tenths[Math.floor(value * 10)] ?? 0) + 1
  expect(tenths).toHaveLength(10)
  for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150)
  expect(take(7, 5)).not.toEqual(take(8, 5))
})
