// Rate limiter of provider calls: never above the limit in any window, and no endless waiting.
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { hourMs } from '#shared/base/durations.ts'
import { pause, feedRateLimiter, type RequestLimit } from './feed-rate-limiter.ts'
import { manualClock } from './testing/manual-clock.ts'

const perMinute: RequestLimit = { count: 8, windowMs: 60_000 }

/** Lets the handlers of settled promises run. */
const turn = () =>
  new Promise<void>((resolve) => {
    setImmediate(resolve)
  })

describe('a rate limiter', () => {
  it('rejects immediately if the wait would be too long, with the delay', async () => {
    const clock = manualClock(0)
    const take = feedRateLimiter({ limits: [{ count: 1, windowMs: 24 * hourMs }], waitMaxMs: 60_000, clock })
    await take()
    clock.advance(hourMs)
    await expect(take()).rejects.toMatchObject({ kind: 'limited', retryAfterMs: 23 * hourMs })
  })

  it('releases a waiting call when it is aborted', async () => {
    const clock = manualClock(0)
    const take = feedRateLimiter({ limits: [{ count: 1, windowMs: 1000 }], waitMaxMs: 60_000, clock })
    await take()
    const abort = new AbortController()
    const waiting = take(abort.signal)
    abort.abort(new Error('not wanted any more'))
    await expect(waiting).rejects.toThrow('not wanted any more')
    await expect(take(abort.signal)).rejects.toThrow('not wanted any more')
    expect(clock.nextDueMs()).toBeUndefined()
  })

  it('starts as many calls as the provider allows, and the next one when the first has left the window', async () => {
    const clock = manualClock(0)
    const take = feedRateLimiter({ limits: [perMinute], waitMaxMs: 120_000, clock })
    const begun: number[] = []
    for (let call = 0; call < 10; call += 1) void take().then(() => begun.push(clock.now()))
    await turn()
    expect(begun).toEqual(Array(8).fill(0))
    clock.advance(59_999)
    await turn()
    expect(begun).toHaveLength(8)
    clock.advance(1)
    await turn()
    expect(begun).toEqual([...Array<number>(8).fill(0), 60_000, 60_000])
  })

  it('never starts more calls in any window than each limit allows', async () => {
    const gaps = fc.array(fc.nat(30_000), { maxLength: 60 })
    await assertProperty(
      fc.asyncProperty(gaps, async (list) => {
        const limits = [perMinute, { count: 20, windowMs: 5 * 60_000 }]
        const clock = manualClock(0)
        const take = feedRateLimiter({ limits, waitMaxMs: Infinity, clock })
        const begun: number[] = []
        for (const gap of list) {
          void take().then(() => begun.push(clock.now()))
          await turn()
          clock.advance(gap)
        }
        for (let dueMs = clock.nextDueMs(); dueMs !== undefined; dueMs = clock.nextDueMs()) {
          clock.advance(dueMs - clock.now())
          await turn()
        }
        await turn()
        expect(begun).toHaveLength(list.length)
        for (const { count, windowMs } of limits) {
          for (const [i, at] of begun.entries()) expect((begun[i + count] ?? Infinity) - at).toBeGreaterThanOrEqual(windowMs)
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe('a pause', () => {
  it('ends on time and not before', async () => {
    const clock = manualClock(0)
    let isOver = false
    void pause(clock, 500).then(() => {
      isOver = true
    })
    clock.advance(499)
    await turn()
    expect(isOver).toBe(false)
    clock.advance(1)
    await turn()
    expect(isOver).toBe(true)
  })
})
