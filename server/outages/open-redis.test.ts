// Delays between attempts to connect to Redis.
import { expect, test } from 'vitest'
import { redisRetryDelayMs } from './open-redis.ts'

test.each([
  [1, 0, 50],
  [1, 0.5, 75],
  [3, 0, 200],
  [30, 0.5, 1_500],
])('attempt %i to connect, with random %f, is made after %i ms', (attempt, random, ms) => {
  expect(redisRetryDelayMs(attempt, random)).toBe(ms)
})
