// Slices keep the event loop responsive, and keep their order.
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { inSlices } from './in-slices.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

it.each([0, 1, 500])('runs over %i items at once', (count) => {
  const seen: number[] = []
  inSlices(numbers(count), (item) => seen.push(item))
  expect(seen).toEqual(numbers(count))
})

it('runs other work between slices and loses nothing', async () => {
  const seen: number[] = []
  const items = numbers(1_201)
  inSlices(items, (item) => seen.push(item))
  expect(seen).toHaveLength(500)
  while (seen.length < items.length) {
    const before = seen.length
    await turn()
    expect(seen.length - before).toBeLessThanOrEqual(500)
  }
  expect(seen).toEqual(items)
})
