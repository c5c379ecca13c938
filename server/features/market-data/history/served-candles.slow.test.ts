// Every candle served by REST and socket against the expected ones, after random paging, cuts, restarts and data loss.
import { describe, expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { dayMs, minuteMs } from '#shared/base/durations.ts'
import { knownTimeframes } from '#shared/candles/timeframe.ts'
import { fridayMs } from '../feeds/testing/feed-fixture.ts'
import { marketSubjects } from './testing/market-subjects.ts'
import { marketWorld } from './testing/market-world.ts'

const event = fc.oneof(
  fc.record({ kind: fc.constant('play' as const), minutes: fc.integer({ min: 1, max: 4 }) }),
  fc.record({
    kind: fc.constant('page' as const),
    timeframe: fc.constantFrom(...knownTimeframes),
    backDays: fc.integer({ min: 0, max: 11 }),
    limit: fc.constantFrom(5, 200, 1_000),
  }),
  fc.record({ kind: fc.constant('cut' as const), minutes: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    kind: fc.constant('restart' as const),
    awayMinutes: fc.integer({ min: 0, max: 12 }),
    /** Deletes stored candles of a step, from the given number of minutes before now on. */
    lost: fc.option(
      fc.record({
        step: fc.constantFrom('1m' as const, '1h' as const),
        backMinutes: fc.integer({ min: 20, max: 6_000 }),
        minutes: fc.integer({ min: 1, max: 300 }),
      }),
    ),
  }),
)

describe.each(marketSubjects)('%s', (_name, subject) => {
  test('every candle of REST and socket is correct, and none is truncated', async () => {
    await assertProperty(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_000 }), fc.array(event, { minLength: 1, maxLength: 4 }), async (seed, events) => {
        const world = await marketWorld(subject, seed)
        await world.play(minuteMs)
        for (const one of events) {
          if (one.kind === 'play') await world.play(one.minutes * minuteMs)
          else if (one.kind === 'page') await world.restCandles(one.timeframe, fridayMs - one.backDays * dayMs, one.limit)
          else if (one.kind === 'restart') {
            const lostMs = Math.floor(world.clock.now() / minuteMs - (one.lost?.backMinutes ?? 0)) * minuteMs
            await world.restart(
              one.awayMinutes * minuteMs,
              one.lost === null ? undefined : { step: one.lost.step, fromMs: lostMs, toMs: lostMs + one.lost.minutes * minuteMs },
            )
          } else {
            await world.exchange.cut()
            await world.play(one.minutes * minuteMs)
          }
          // Gaps are filled in sequence; a partial minute is requested again when it is final.
          await world.play(5 * minuteMs)
          const counts = await world.reconcile()
          expect(counts.get('1')).toBeGreaterThan(30)
          expect(counts.get('60')).toBeGreaterThan(3)
        }
        await world.close()
      }),
      // Multiplied by ten in the slow project.
      { numRuns: 0.4 },
    )
  })
})
