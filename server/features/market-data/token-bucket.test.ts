// A token bucket: what it rejects, what it admits, and independence of the wall clock.
import { expect, it } from 'vitest'
import { tokenBucket } from './token-bucket.ts'

function bucketAt0(): { bucket: ReturnType<typeof tokenBucket>; clock: { ms: number } } {
  const clock = { ms: 0 }
  return { bucket: tokenBucket({ size: 10, perSecond: 2, monotonic: () => clock.ms }), clock }
}

it('rejects more than it has, and takes nothing then', () => {
  const { bucket } = bucketAt0()
  expect(bucket.take(7)).toBe(true)
  expect(bucket.take(4)).toBe(false)
  expect(bucket.waitMs(4)).toBe(500)
  expect(bucket.take(3)).toBe(true)
  expect(bucket.take(1)).toBe(false)
})

it('refills with time, up to its size', () => {
  const { bucket, clock } = bucketAt0()
  bucket.take(10)
  clock.ms = 1_500
  expect(bucket.take(3)).toBe(true)
  expect(bucket.take(1)).toBe(false)
  clock.ms = 100_000
  expect(bucket.isFull).toBe(true)
  expect(bucket.take(10)).toBe(true)
  expect(bucket.isFull).toBe(false)
})

it('admits what costs more than its size once it is full', () => {
  const { bucket, clock } = bucketAt0()
  expect(bucket.take(25)).toBe(true)
  expect(bucket.take(25)).toBe(false)
  expect(bucket.waitMs(25)).toBe(5_000)
  clock.ms = 5_000
  expect(bucket.take(25)).toBe(true)
})
