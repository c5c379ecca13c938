// Timers of feeds and gateway: an error in one reaches its handler and ends neither the process nor the repetition.
import { expect, test, vi } from 'vitest'
import { realClock, repeat } from './real-clock.ts'

test.each([
  [
    'throws',
    () => {
      throw new Error('broken')
    },
  ],
  ['rejects', () => Promise.reject(new Error('broken'))],
])('a timer that %s is reported', async (_how, run) => {
  const onError = vi.fn<(error: unknown) => void>()
  realClock(onError).after(0, run)
  await expect.poll(() => onError.mock.calls).toEqual([[new Error('broken')]])
})

test('a repetition goes on after an error, until it is stopped', async () => {
  const onError = vi.fn<(error: unknown) => void>()
  let runs = 0
  const stop = repeat(realClock(onError), 1, () => {
    runs += 1
    if (runs === 3) stop()
    throw new Error('broken')
  })
  await expect.poll(() => onError.mock.calls).toHaveLength(3)
  expect(runs).toBe(3)
})
