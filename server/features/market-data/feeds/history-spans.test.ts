// Splitting long history requests into calls, and normalising rows.
import { describe, expect, it } from 'vitest'
import { assertProperty, fc } from '#testing/property.ts'
import type { Candle } from '#shared/candles/candle.ts'
import type { HistoryRequest } from '../feed.ts'
import { stepEndMs } from '../history-steps.ts'
import { historySpans, orderlyCandles } from './history-spans.ts'

const at = (text: string): number => Date.parse(`${text}+05:30`)
const utc = (text: string): number => Date.parse(`${text}Z`)

const candle = (timeMs: number, close = 100): Candle => ({ timeMs, open: 100, high: 101, low: 99, close, volume: 5, takerBuyVolume: null })

describe('spans', () => {
  it('are empty for an empty range', () => {
    expect(historySpans({ fromMs: 5, toMs: 5 }, 10)).toEqual([])
    expect(historySpans({ fromMs: 5, toMs: 4 }, 10)).toEqual([])
  })

  it('join, stay within the maximum length, and cover the request', async () => {
    await assertProperty(
      fc.property(fc.nat(1000), fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 300 }), (fromMs, length, spanMs) => {
        const spans = historySpans({ fromMs, toMs: fromMs + length }, spanMs)
        expect(spans[0]?.fromMs).toBe(fromMs)
        expect(spans.at(-1)?.toMs).toBe(fromMs + length)
        for (const [i, span] of spans.entries()) {
          expect(span.toMs - span.fromMs).toBeLessThanOrEqual(spanMs)
          if (i > 0) expect(span.fromMs).toBe(spans[i - 1]?.toMs)
        }
      }),
    )
  })
})

describe('the end of a candle', () => {
  it.each([
    ['1m', at('2026-11-20T15:14:00'), 'nse-equity', at('2026-11-20T15:15:00')],
    ['1h', at('2026-11-20T09:15:00'), 'nse-equity', at('2026-11-20T10:15:00')],
    ['1h', at('2026-11-20T15:15:00'), 'nse-equity', at('2026-11-20T15:35:00')],
    ['1h', at('2026-11-20T15:15:00'), 'nse-index', at('2026-11-20T15:35:00')],
    // Three hours later, when the exchange has published the official close.
    ['1D', utc('2026-11-20T00:00:00'), 'nse-equity', at('2026-11-20T18:35:00')],
    ['1D', utc('2026-11-20T00:00:00'), 'nse-index', at('2026-11-20T18:35:00')],
    ['1D', utc('2026-11-20T00:00:00'), 'bse-index', at('2026-11-20T18:35:00')],
    ['1D', utc('2026-11-20T00:00:00'), 'fx', utc('2026-11-20T22:00:00')],
    // A holiday, which should have no candle: by its length.
    ['1D', utc('2026-11-24T00:00:00'), 'nse-equity', utc('2026-11-25T00:00:00')],
    ['1h', utc('2026-11-20T10:00:00'), null, utc('2026-11-20T11:00:00')],
    ['1D', utc('2026-11-20T00:00:00'), null, utc('2026-11-21T00:00:00')],
  ] as const)('of %s at %d of %s is %d', (step, timeMs, sessionClass, expected) => {
    expect(stepEndMs(step, timeMs, sessionClass)).toBe(expected)
  })
})

describe('normalised rows', () => {
  const start = at('2026-11-20T10:00:00')
  const request: HistoryRequest = { symbol: 'X', step: '1m', fromMs: start, toMs: start + 10 * 60_000 }
  const nowMs = start + 5 * 60_000

  it('exclude rows outside the range, forming candles and incomplete rows', () => {
    const rows = [
      candle(start - 60_000),
      candle(start, Number.NaN),
      candle(Number.NaN),
      candle(start + 5 * 60_000),
      candle(start + 10 * 60_000),
    ]
    expect(orderlyCandles(rows, request, { nowMs, sessionClass: 'nse-equity' })).toEqual([])
  })

  it('are ascending, and the last row of a timestamp wins', () => {
    const rows = [candle(start + 120_000), candle(start, 1), candle(start + 60_000), candle(start, 2)]
    const list = orderlyCandles(rows, request, { nowMs, sessionClass: null })
    expect(list.map(({ timeMs, close }) => [timeMs, close])).toEqual([
      [start, 2],
      [start + 60_000, 100],
      [start + 120_000, 100],
    ])
  })
})
