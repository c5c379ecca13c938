// The pauses of the back-off.
import { describe, expect, it } from 'vitest'
import { manualClock } from '../feeds/testing/manual-clock.ts'
import { BackOff } from './back-off.ts'

const rows: readonly (readonly [why: string, random: number, expected: readonly number[]])[] = [
  ['at most', 1, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]],
  ['at least', 0, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]],
]

describe('pauses', () => {
  it.each(rows)('double up to a minute, %s', (_why, random, expected) => {
    const pause = new BackOff(manualClock(0, () => random))
    expect(expected.map(() => pause.next())).toEqual(expected)
  })

  it('start over after a reset, and are the maximum when retries are hopeless', () => {
    const pause = new BackOff(manualClock(0, () => 1))
    expect([pause.next(), pause.next(), pause.next(true)]).toEqual([1000, 2000, 60_000])
    pause.reset()
    expect(pause.next()).toBe(1000)
  })
})
