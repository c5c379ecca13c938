// A provider that sends bad rows and frames: every other candle of REST and socket is correct, and history goes on behind them.
import { describe, expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import type { TimeSpan } from '#shared/base/time-span.ts'
import { stepMs } from '../feed.ts'
import { fridayMs } from '../feeds/testing/feed-fixture.ts'
import { changeRows } from '../feeds/testing/provider-rows.ts'
import { frameSpoilings, spoilFrame } from '../feeds/testing/spoil-frame.ts'
import { spoilingNames, spoilings } from '../feeds/testing/spoilings.ts'
import { marketSubjects } from './testing/market-subjects.ts'
import { marketWorld, type MarketSubject } from './testing/market-world.ts'

type World = Awaited<ReturnType<typeof marketWorld>>

/** Spoils the row of one step that was sent for an instant, in every response. */
function spoil(
  { exchange }: World,
  { dialect }: MarketSubject,
  spoiling: keyof typeof spoilings,
  isBad: (timeMs: number) => boolean,
): void {
  exchange.faults.http = (request) => {
    const reply = dialect.answer(request, exchange.truth)
    if (reply === null || reply.status !== 200 || !/^\s*[[{]/.test(reply.body)) return undefined
    const change = changeRows(dialect.source, reply.body, (row) => {
      if (isBad(row.timeMs)) spoilings[spoiling](row)
    })
    return { ...reply, body: change }
  }
}

const event = fc.record({
  spoiling: fc.constantFrom(...spoilingNames),
  step: fc.constantFrom('1m' as const, '1h' as const, '1D' as const),
  /** Which of the candles, from the newest one on. */
  back: fc.nat(200),
  frames: fc.array(fc.nat(40), { maxLength: 3 }),
  /** Bad frames in a row, from this one on. */
  run: fc.record({ first: fc.nat(40), length: fc.nat(9) }),
  frameSpoiling: fc.constantFrom(...frameSpoilings),
})

describe.each(marketSubjects)('%s', (_name, subject) => {
  test('one bad row at any position, and bad frames, leave every other candle of REST and socket correct', async () => {
    await assertProperty(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_000 }), event, async (seed, { spoiling, step, back, frames, run, frameSpoiling }) => {
        const world = await marketWorld(subject, seed)
        const stamps = world.exchange.truth.candles(subject.dialect.symbols[0], step).map(({ timeMs }) => timeMs)
        const index = stamps.length - 1 - (back % stamps.length)
        const [before, badMs = 0, after] = [stamps[index - 1], stamps[index], stamps[index + 1]]
        spoil(world, subject, spoiling, (timeMs) => timeMs === badMs || (step === '1D' && Math.abs(timeMs - badMs) <= 6 * hourMs))
        let sent = 0
        world.exchange.faults.frame = (frame, of) => {
          if (of !== undefined) sent += 1
          const isBad = frames.includes(sent) || (sent >= run.first && sent < run.first + run.length)
          return of !== undefined && isBad ? [spoilFrame(subject.dialect.source, frame, frameSpoiling)] : [frame]
        }
        await world.play(8 * minuteMs)
        // A row without a usable time was between its neighbours.
        const unknown: TimeSpan[] = [{ fromMs: before ?? badMs - dayMs, toMs: (after ?? badMs + dayMs) + stepMs[step] }]
        const counts = await world.reconcile(unknown)
        // A bad day spoils the minutes of six hours too; pairs that trade rarely have 28 after them.
        expect(counts.get('1')).toBeGreaterThan(20)
        expect(counts.get('60')).toBeGreaterThan(3)
        // History behind the bad row arrives on request.
        const older = await world.restCandles('60', fridayMs - 10 * dayMs, 200)
        if (subject.dialect.source !== 'kraken') expect(older.length).toBeGreaterThan(0)
        await world.reconcile(unknown)
        await world.close()
      }),
      { numRuns: 1 },
    )
  })
})
