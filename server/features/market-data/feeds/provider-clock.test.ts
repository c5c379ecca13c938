// The provider's clock as estimated from messages.
import { describe, expect, test } from 'vitest'
import { ProviderClock } from './provider-clock.ts'
import { manualClock } from './testing/manual-clock.ts'

const startMs = Date.parse('2026-11-20T06:30:00Z')

describe('without samples', () => {
  test('an unreachable provider falls back to the local clock', async () => {
    const time = new ProviderClock(manualClock(startMs), () => Promise.reject(new Error('no')))
    expect(await time.nowMs()).toBe(startMs)
  })

  test('an aborted call rejects with the reason of its signal', async () => {
    const time = new ProviderClock(manualClock(startMs), () => Promise.reject(new Error('no')))
    await expect(time.nowMs(AbortSignal.abort(new Error('not wanted')))).rejects.toThrow('not wanted')
  })
})

describe('with samples', () => {
  test('the least delayed message wins', () => {
    const clock = manualClock(startMs)
    const time = new ProviderClock(clock)
    for (const delayMs of [300, 40, 900]) time.sample(startMs + 5000 - delayMs)
    expect(time.estimateMs() - clock.now()).toBe(4960)
  })

  test('a corrected clock is accepted within two minutes', () => {
    const clock = manualClock(startMs)
    const time = new ProviderClock(clock)
    time.sample(clock.now() + 30_000)
    for (let second = 0; second < 121; second += 1) {
      clock.advance(1000)
      time.sample(clock.now())
    }
    expect(time.estimateMs() - clock.now()).toBe(0)
  })

  test('the provider is asked only without a sample for ten minutes', async () => {
    const clock = manualClock(startMs)
    let asked = 0
    const time = new ProviderClock(clock, () => {
      asked += 1
      return Promise.resolve(clock.now() - 7000)
    })
    expect(await time.nowMs()).toBe(startMs - 7000)
    expect(await time.nowMs()).toBe(startMs - 7000)
    expect(asked).toBe(1)
    clock.advance(600_000)
    await time.nowMs()
    expect(asked).toBe(2)
  })
})
