// One bad row at every position of every provider's response: every other candle arrives, and the hole is reported.
import { describe, expect, test } from 'vitest'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { RejectedRow } from '../feed.ts'
import { marketSubjects } from '../history/testing/market-subjects.ts'
import { feedFixture, fridayMs, type FeedSubject, type FeedFixture } from './testing/feed-fixture.ts'
import { changeRows, rowFields, type ProviderRow } from './testing/provider-rows.ts'
import { spoilingNames, spoilings, type Spoiling } from './testing/spoilings.ts'

const spans = {
  '1m': { fromMs: fridayMs - 16 * minuteMs, toMs: fridayMs - 2 * minuteMs },
  '1h': { fromMs: fridayMs - 27 * hourMs, toMs: fridayMs },
}

async function fixtureOf(subject: FeedSubject) {
  const fixture = await feedFixture(subject)
  const { source } = subject.dialect
  return {
    fixture,
    /** Changes the rows of every response from now on. */
    change: (change: (row: ProviderRow) => void) => {
      fixture.exchange.faults.http = (request) => {
        const reply = subject.dialect.answer(request, fixture.exchange.truth)
        return reply === null || reply.status !== 200 || !/^\s*[[{]/.test(reply.body)
          ? undefined
          : { ...reply, body: changeRows(source, reply.body, change) }
      }
    },
    ask: async (step: '1m' | '1h') => {
      const rejected: RejectedRow[] = []
      const onRejected = (rows: readonly RejectedRow[]): void => void rejected.push(...rows)
      const candles = await waitFor(fixture, fixture.feed.history({ symbol: fixture.symbol, step, ...spans[step], onRejected }))
      return { candles, rejected }
    },
  }
}

/** Awaits a promise while the clock passes the rate limits. */
async function waitFor<T>(fixture: FeedFixture, promise: Promise<T>): Promise<T> {
  const state = { isDone: false }
  const settled = promise.finally(() => (state.isDone = true))
  settled.catch(() => undefined)
  await fixture.exchange.settle()
  while (!state.isDone) {
    fixture.clock.advance(500)
    await fixture.exchange.settle()
  }
  return await settled
}

function expectedOf(fixture: FeedFixture, step: '1m' | '1h'): Candle[] {
  const { fromMs, toMs } = spans[step]
  if (step === '1m') return fixture.exchange.expected(fixture.symbol, fromMs, toMs)
  return fixture.exchange.expectedSteps(fixture.symbol, step, fromMs)
}

function isPossible({ dialect: { hasVolume } }: FeedSubject, spoiling: Spoiling): boolean {
  return hasVolume || spoiling !== 'a negative volume'
}

describe.each(marketSubjects.filter(([name]) => name !== 'Binance as gold'))('%s', (_name, subject) => {
  test.for(['1m', '1h'] as const)('a bad row of %s costs no other one', async (step) => {
    const { fixture, change, ask } = await fixtureOf(subject)
    const expected = expectedOf(fixture, step)
    expect(expected.length).toBeGreaterThan(3)
    for (const spoiling of spoilingNames.filter((name) => isPossible(subject, name)))
      for (const bad of expected) {
        change((row) => {
          if (row.timeMs === bad.timeMs) spoilings[spoiling](row)
        })
        const place = `${spoiling} at ${new Date(bad.timeMs).toISOString()}`
        const { candles, rejected } = await ask(step)
        expect({ place, candles }).toEqual({ place, candles: expected.filter((candle) => candle !== bad) })
        const holes = rejected.filter(({ span }) => span.fromMs <= bad.timeMs && span.toMs > bad.timeMs)
        expect({ place, holes: holes.length }).toEqual({ place, holes: 1 })
        expect(expected.filter(({ timeMs }) => timeMs !== bad.timeMs && isInside(rejected, timeMs))).toEqual([])
      }
  })

  test('numbers may be text, also with an exponent', async () => {
    const { fixture, change, ask } = await fixtureOf(subject)
    const expected = expectedOf(fixture, '1m')
    for (const write of [String, (value: unknown) => Number(value).toExponential(), Number]) {
      change((row) => {
        for (const field of rowFields) if (row.get(field) !== null && row.get(field) !== undefined) row.set(field, write(row.get(field)))
      })
      expect(await ask('1m')).toEqual({ candles: expected, rejected: [] })
    }
  })
})

function isInside(rejected: readonly RejectedRow[], timeMs: number): boolean {
  return rejected.some(({ span }) => span.fromMs <= timeMs && span.toMs > timeMs)
}
