// Rounds of a server that sends its pages away: sizes and pauses.
import { expect, test } from 'vitest'
import { inRounds } from './in-rounds.ts'

test.each([
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

test('a page that is slow to go does not hold the next round', async () => {
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
