// Exponential back-off with equal jitter.
import { expect, test } from 'vitest'
import { backOffDelayMs } from './back-off-delay.ts'

const limits = { firstMs: 1_000, maxMs: 60_000 }

test.each([
  [0, 0, 500],
  [0, 0.5, 750],
  [1, 0, 1_000],
  [3, 0.999, 7_996],
  [6, 0, 30_000],
  [5_000, 0.5, 45_000],
])('after %i failures, with random %f, the delay is %i ms', (failures, random, ms) => {
  expect(backOffDelayMs(failures, limits, random)).toBe(ms)
})
