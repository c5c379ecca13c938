// A price jump in a stream: refuted by history, or used as soon as there is evidence for it.
import { expect, it } from 'vitest'
import { minuteMs, secondMs } from '#shared/base/durations.ts'
import { candidate, followerFixture, pass, startFollowing } from './testing/follower-fixture.ts'

it('is used after ten seconds with three prices', async () => {
  const { clock, first, run } = followerFixture('trades')
  const followed = startFollowing(clock, [candidate(first)])
  await run(2 * minuteMs)
  for (const price of [500, 501, 502]) {
    expect(followed.minutes.every(({ candle }) => candle.high < 200)).toBe(true)
    first.trade({ timeMs: clock.now(), price, size: 1, isTakerBuy: true })
    await pass(clock, 5 * secondMs)
  }
  expect(followed.minutes.at(-1)).toMatchObject({ candle: { high: 502 } })
  followed.stop()
})

it('of two messages that history does not have is dropped', async () => {
  const { clock, first, run } = followerFixture('trades')
  const followed = startFollowing(clock, [candidate(first)])
  await run(2 * minuteMs)
  for (const size of [1, 2]) first.trade({ timeMs: clock.now(), price: 0.0001, size, isTakerBuy: true })
  await run(3 * minuteMs)
  expect(followed.minutes.every(({ candle }) => candle.low > 50)).toBe(true)
  followed.stop()
})
