// Trades by sequence number: each once, in order, without permanent gaps.
import { describe, expect, test } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import type { Trade } from '../feed.ts'
import { tradeOf, TradeSequence, type NumberedTrade } from './coinbase-feed.ts'

const minuteStartMs = 1_700_000_040_000
const trade = (id: number): NumberedTrade => ({ id, timeMs: minuteStartMs + id, price: 100 + id, size: 1, isTakerBuy: true })
const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

function listen(recent: () => Promise<readonly NumberedTrade[]>) {
  const prices: number[] = []
  let completions = 0
  let proofs = 0
  const sequence = new TradeSequence({
    recent,
    minuteStartMs: () => minuteStartMs,
    emit: ({ price }: Trade) => void prices.push(price - 100),
    complete: () => {
      completions += 1
    },
    alive: () => {
      proofs += 1
    },
    log: () => undefined,
  })
  return { sequence, prices, completions: () => completions, proofs: () => proofs }
}

describe('a trade sequence', () => {
  test('continues without trades that cannot be fetched', async () => {
    const { sequence, prices, completions } = listen(() => Promise.reject(new Error('no')))
    sequence.start()
    sequence.receive(trade(4))
    await turn()
    expect([prices, completions()]).toEqual([[4], 1])
  })

  test('emits nothing after it was stopped, even if a response arrives late', async () => {
    const { sequence, prices, completions } = listen(() => Promise.resolve([trade(1)]))
    sequence.start()
    sequence.stop()
    await turn()
    expect([prices, completions()]).toEqual([[], 0])
  })

  test('starts at the minute, not before it', async () => {
    const { sequence, prices } = listen(() => Promise.resolve([trade(3), trade(2), trade(-5)]))
    sequence.start()
    sequence.receive(trade(4))
    await turn()
    expect(prices).toEqual([2, 3, 4])
  })

  test('fetches trades that a heartbeat reports and the stream lacks', async () => {
    const all = [1, 2, 3].map(trade)
    const { sequence, prices, completions } = listen(() => Promise.resolve(all))
    sequence.start()
    await turn()
    all.push(trade(4))
    sequence.expect(3, true)
    sequence.expect(4, true)
    await turn()
    expect([prices, completions()]).toEqual([[1, 2, 3, 4], 2])
  })

  test('is proved alive only by a heartbeat that reports no newer trade', async () => {
    const { sequence, proofs } = listen(() => Promise.resolve([trade(1)]))
    sequence.expect(1, true)
    sequence.start()
    sequence.expect(1, true)
    expect(proofs()).toBe(0)
    await turn()
    sequence.expect(1, true)
    expect(proofs()).toBe(1)
    sequence.expect(2, true)
    sequence.expect(2, true)
    expect(proofs()).toBe(1)
    await turn()
    sequence.expect(2, true)
    expect(proofs()).toBe(2)
  })

  test('emits every trade once, whatever the stream loses, repeats or reorders', async () => {
    const arrivals = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 60 })
    await assertProperty(
      fc.asyncProperty(arrivals, async (ids) => {
        let newest = 0
        const before = { ...trade(0), timeMs: minuteStartMs - 1 }
        const { sequence, prices } = listen(() => Promise.resolve([before, ...Array.from({ length: newest }, (_, i) => trade(i + 1))]))
        sequence.start()
        await turn()
        for (const id of ids) {
          newest = Math.max(newest, id)
          sequence.receive(trade(id))
          await turn()
        }
        sequence.expect(newest, true)
        await turn()
        expect(prices.toSorted((a, b) => a - b)).toEqual(Array.from({ length: newest }, (_, i) => i + 1))
      }),
      { numRuns: 60 },
    )
  })

  test.for([
    ['sell', true],
    ['buy', false],
  ] as const)('a %s maker order has a buyer as taker: %s', ([side, isTakerBuy]) => {
    const notified = { trade_id: 7, time: '2026-11-20T06:30:00.250123Z', price: 90_000.5, size: 0.25, side }
    expect(tradeOf(notified)).toEqual({ id: 7, timeMs: Date.parse('2026-11-20T06:30:00.250Z'), price: 90_000.5, size: 0.25, isTakerBuy })
  })
})
