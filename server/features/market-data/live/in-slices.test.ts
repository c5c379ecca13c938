// Slices keep the event loop responsive, and keep their order.
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { inRounds, inSlices } from './in-slices.ts'

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

it.each([
  ['nothing', 0, []],
  ['one round without a pause', 20, [20]],
  ['twenty at a time', 50, [20, 20, 10]],
  ['at most fifty rounds', 10_000, Array.from({ length: 50 }, () => 200)],
])('%s', async (_what, count, expected) => {
  const rounds: number[] = count === 0 ? [] : [0]
  const send = (): Promise<void> => {
    rounds.push((rounds.pop() ?? 0) + 1)
    return Promise.resolve()
  }
  const pause = (): Promise<void> => {
    rounds.push(0)
    return Promise.resolve()
  }
  await inRounds(Array.from({ length: count }), send, pause)
  expect(rounds).toEqual(expected)
})

it('a page that is slow to go does not hold the next round', async () => {
  const gone = Promise.withResolvers<void>()
  const sent: number[] = []
  const all = inRounds(
    Array.from({ length: 101 }, (_, index) => index),
    (index) => (sent.push(index), index === 0 ? gone.promise : Promise.resolve()),
    () => Promise.resolve(),
  )
  await expect.poll(() => sent.length).toBe(101)
  gone.resolve()
  await all
})
