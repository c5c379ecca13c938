// Kraken's native longer candles next to its minutes: every timeframe against the trades, after starts, downtime and data loss.
import { expect, onTestFinished, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '#shared/base/durations.ts'
import { resample } from '#shared/candles/resample.ts'
import type { SessionClass } from '#shared/trading-hours/session-class.ts'
import type { Timeframe } from '#shared/candles/timeframe.ts'
import type { HistoryStep } from '../feed.ts'
import { krakenFeed } from '../feeds/kraken-feed.ts'
import { krakenDialect } from '../feeds/testing/fake-kraken-server.ts'
import { timeOfCandle } from '../coverage.ts'
import { marketWorld } from './testing/market-world.ts'

const subject = { dialect: krakenDialect, make: krakenFeed, staleAfterMs: 60_000 }
/** How far back the longest native candles of a timeframe reach, within the twelve days of the scripted exchange. */
const reaches: readonly (readonly [Timeframe, number])[] = [
  ['1', 11.9 * hourMs],
  ['3', 11.9 * hourMs],
  ['5', 59 * hourMs],
  ['15', 7 * dayMs],
  ['30', 11 * dayMs],
  ['60', 11 * dayMs],
  ['120', 11 * dayMs],
  ['240', 11 * dayMs],
]

type Pairs = Awaited<ReturnType<Awaited<ReturnType<typeof krakenWorld>>['candlesWithinReach']>>

/** Every candle is served once, with exactly the trades of its time. */
function expectSeamless(pairs: Pairs): void {
  for (const { timeframe, served, traded } of pairs) {
    expect({ timeframe, candles: served }).toEqual({ timeframe, candles: traded })
    expect(traded.length).toBeGreaterThan(5)
  }
}

async function krakenWorld(sessionClass: SessionClass, slug: string, seed: number) {
  const world = await marketWorld({ ...subject, slug, sessionClass }, seed)
  onTestFinished(() => world.close())
  const symbol = krakenDialect.symbols[0]
  return {
    ...world,
    /** Closed candles within reach as served by REST, and as expected. */
    async candlesWithinReach() {
      const pairs = []
      for (const [timeframe, reachMs] of reaches) {
        const served = await world.restCandles(timeframe)
        const nowMs = world.clock.now()
        const sinceMs = nowMs - reachMs
        const settled = ({ timeMs }: { timeMs: number }): boolean => {
          const { toMs = Infinity } = timeOfCandle(sessionClass, timeframe, timeMs) ?? {}
          return timeMs >= sinceMs && toMs < nowMs - 4 * minuteMs
        }
        const truth = resample(world.exchange.truth.candles(symbol, '1m'), sessionClass, timeframe)
        const stated = truth.filter(settled).map((candle) => ({ ...candle, takerBuyVolume: null }))
        pairs.push({ timeframe, served: served.filter(settled), traded: stated })
      }
      return pairs
    },
  }
}

test.for([
  ['fx', 'eur-usd', 3],
  ['crypto', 'btc-usd', 4],
] as const)('a fresh start of %s', async ([sessionClass, slug, seed]) => {
  const world = await krakenWorld(sessionClass, slug, seed)
  await world.play(3 * minuteMs)
  expectSeamless(await world.candlesWithinReach())
  expect((await world.reconcile()).size).toBe(11)
})

const losses: readonly (readonly [HistoryStep, number, number])[] = [
  ['1m', 90, 47],
  ['1m', 700, 300],
  ['5m', 400, 333],
  ['15m', 3_000, 1_441],
  ['30m', 6_000, 700],
  ['1h', 9_000, 5_000],
  ['4h', 9_000, 3_000],
]

test.for([
  ['fx', 'eur-usd', 5],
  ['crypto', 'btc-usd', 6],
] as const)('restarts of %s with lost candles, and downtime', async ([sessionClass, slug, seed]) => {
  const world = await krakenWorld(sessionClass, slug, seed)
  await world.play(2 * minuteMs)
  for (const [step, backMinutes, minutes] of losses) {
    const fromMs = Math.floor(world.clock.now() / minuteMs - backMinutes) * minuteMs
    await world.restart(7 * minuteMs, { step, fromMs, toMs: fromMs + minutes * minuteMs })
    await world.restCandles('30', world.clock.now() - dayMs, 50)
  }
  await world.restart(3 * hourMs)
  await world.play(5 * minuteMs)
  expectSeamless(await world.candlesWithinReach())
  expect((await world.reconcile()).size).toBe(11)
})

test('each step is stored without a gap, minutes from the start of the session that was cut', async () => {
  const world = await krakenWorld('fx', 'eur-usd', 7)
  await world.play(2 * minuteMs)
  const coverage = await world.behind.coverage({ series: 'eur-usd', source: 'kraken' })
  for (const step of ['5m', '15m', '30m', '1h'] as const) expect(coverage[step]).toHaveLength(1)
  expect(coverage['4h']).toBeUndefined()
  expect(coverage['1m']).toHaveLength(1)
  expect(coverage['1m']?.[0]?.fromMs).toBe(Date.parse('2026-11-18T22:00:00Z'))
})
