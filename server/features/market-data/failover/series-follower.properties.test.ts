// Cuts, duplicates, delays and reordering on a connection still yield the expected minutes, without gaps or duplicates.
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { minuteMs, secondMs } from '#shared/base/durations.ts'
import { FeedError } from '../feed.ts'
import { fakeFeed } from './testing/fake-feed.ts'
import { closedMinutes, lastStatements, newClock, noonMs, pass, startFollowing } from './testing/follower-fixture.ts'

const fault = fc.oneof(
  fc.record({ kind: fc.constantFrom('cut' as const), forMs: fc.integer({ min: 250, max: 200_000 }) }),
  fc.record({ kind: fc.constantFrom('delay' as const), forMs: fc.nat(20_000) }),
  fc.record({ kind: fc.constantFrom('repeat' as const), forMs: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constantFrom('slow-history' as const), forMs: fc.nat(15_000) }),
  fc.record({ kind: fc.constantFrom('no-history' as const), forMs: fc.nat(12_000) }),
  fc.record({ kind: fc.constantFrom('silence' as const), forMs: fc.nat(120_000) }),
)
const scripts = fc.array(fc.record({ afterMs: fc.integer({ min: 250, max: 90_000 }), fault }), { maxLength: 10 })
const trades = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.nat(9_000), fc.nat(9_000), fc.nat(150_000)),
    change: fc.integer({ min: -4, max: 4 }),
    size: fc.nat(9),
    isTakerBuy: fc.boolean(),
  }),
  {
    minLength: 20,
    maxLength: 120,
  },
)

describe('any connection', () => {
  it.each([
    ['minutes', true],
    ['minutes', false],
    ['trades', false],
  ] as const)('that sends %s (and marks closed ones: %s) yields the expected minutes', async (live, saysClosed) => {
    await assertProperty(
      fc.asyncProperty(trades, scripts, fc.nat(59_000), async (trades, script, offsetMs) => {
        const clock = newClock()
        const feed = fakeFeed({ source: 'binance', live, clock, saysClosed })
        const market = [...trades]
        let price = 1000
        let nextMs = noonMs
        const move = () => {
          while (nextMs <= clock.now()) {
            const [trade] = market.splice(0, 1)
            if (trade === undefined) return
            price += trade.change
            feed.trade({ timeMs: nextMs, price, size: trade.size + 1, isTakerBuy: trade.isTakerBuy })
            nextMs += trade.afterMs + 1
          }
        }
        await pass(clock, offsetMs, move)
        const fromMs = Math.floor(clock.now() / minuteMs - 10) * minuteMs
        const followed = startFollowing(clock, [{ feed, symbol: 'X', staleAfterMs: 5 * secondMs }])

        for (const { afterMs, fault } of script) {
          await pass(clock, afterMs, move)
          // Duplicated trades look like new trades, so only whole minutes are repeated.
          if (fault.kind === 'repeat' && live === 'minutes') feed.line.copies = fault.forMs
          if (fault.kind === 'delay') feed.line.delayMs = Math.floor(fault.forMs / feed.line.copies)
          if (fault.kind === 'slow-history') feed.history$.delayMs = fault.forMs
          if (fault.kind === 'no-history') {
            feed.history$.error = new FeedError('unreachable', 'no history now')
            clock.after(fault.forMs, () => (feed.history$.error = null))
          }
          if (fault.kind === 'cut' || fault.kind === 'silence') {
            // A silently dead connection is detected late.
            if (fault.kind === 'silence') feed.isSilent = true
            await pass(clock, Math.min(fault.forMs, 40_000), move)
            feed.cut()
            feed.isSilent = false
            await pass(clock, fault.forMs, move)
            feed.restore()
          }
        }
        await pass(clock, 4 * minuteMs, move)
        followed.stop()

        const untilMs = Math.floor(clock.now() / minuteMs - 3) * minuteMs
        expect(closedMinutes(followed).filter(({ timeMs }) => timeMs < untilMs)).toEqual(feed.truth(fromMs, untilMs))
        for (const [index, { candle }] of followed.minutes.entries()) {
          const known = new Set(followed.minutes.slice(0, index + 1).map((stated) => stated.candle.timeMs))
          const missing = feed.truth(fromMs, candle.timeMs - minuteMs).filter(({ timeMs }) => !known.has(timeMs))
          expect(missing, 'gaps below a minute that was told').toEqual([])
        }
        expect(lastStatements(followed.minutes).length).toBeGreaterThan(0)
      }),
      { numRuns: 60 },
    )
  })
})
