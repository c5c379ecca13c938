// The check of rows: what is kept, and which holes the others leave.
import { describe, expect, it } from 'vitest'
import type { Candle } from '#shared/candles/candle.ts'
import type { CandleIssue } from '#shared/candles/candle-issue.ts'
import type { HistoryRequest, RejectedRow } from '../feed.ts'
import { stepEndMs } from '../coverage.ts'
import { orderlyCandles } from './orderly-candles.ts'

const at = (text: string): number => Date.parse(`${text}+05:30`)
const utc = (text: string): number => Date.parse(`${text}Z`)

const candle = (timeMs: number, close = 100): Candle => ({ timeMs, open: 100, high: 101, low: 99, close, volume: 5, takerBuyVolume: null })

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
    const rows = [candle(start + 120_000), candle(start, 99.5), candle(start + 60_000), candle(start, 100.5)]
    const list = orderlyCandles(rows, request, { nowMs, sessionClass: null })
    expect(list.map(({ timeMs, close }) => [timeMs, close])).toEqual([
      [start, 100.5],
      [start + 60_000, 100],
      [start + 120_000, 100],
    ])
  })

  const minute = (offset: number, change: Partial<Candle> = {}) => ({ ...candle(start + offset * 60_000), ...change })
  const listen = (rows: readonly Candle[]) => {
    const rejected: RejectedRow[] = []
    const list = orderlyCandles(rows, { ...request, onRejected: (found) => void rejected.push(...found) }, { nowMs, sessionClass: null })
    const minutesOf = (ms: number) => (ms - start) / 60_000
    return {
      kept: list.map(({ timeMs }) => minutesOf(timeMs)),
      rejected: rejected.map(({ span, issue }) => [minutesOf(span.fromMs), minutesOf(span.toMs), issue]),
    }
  }

  it.each<readonly [string, Partial<Candle>, CandleIssue]>([
    ['close above high', { close: 101.01 }, 'out-of-order'],
    ['low above open', { low: 100.5 }, 'out-of-order'],
    ['a price of zero', { low: 0 }, 'not-positive'],
    ['a missing price', { open: NaN }, 'not-a-number'],
    ['an infinite price', { high: Infinity }, 'not-a-number'],
    ['a negative volume', { volume: -1 }, 'negative-volume'],
    ['a time off the grid', { timeMs: start + 2 * 60_000 + 30_000 }, 'odd-stamp'],
    ['a time in the future', { timeMs: start + 999 * 60_000 }, 'in-the-future'],
    ['a time that is none', { timeMs: NaN }, 'not-a-number'],
  ])('keep the others of a row with %s, and report its hole', (_, change, issue) => {
    const rows = [minute(0), minute(1), minute(2, change), minute(3), minute(4)]
    expect(listen(rows)).toEqual({ kept: [0, 1, 3, 4], rejected: [[2, 3, issue]] })
  })

  it('report the hole of a first and a last row without a usable time', () => {
    expect(listen([minute(0, { timeMs: NaN }), minute(1), minute(2), minute(3), minute(4)]).rejected).toEqual([[0, 1, 'not-a-number']])
    expect(listen([minute(0), minute(1), minute(2), minute(3), minute(4, { timeMs: NaN })]).rejected).toEqual([[4, 5, 'not-a-number']])
  })

  it('report one hole of ever so many rows without a usable time between two others', () => {
    const unreadable = Array.from({ length: 60_000 }, () => minute(2, { timeMs: NaN }))
    expect(listen([minute(0), ...unreadable, minute(4)])).toEqual({ kept: [0, 4], rejected: [[1, 4, 'not-a-number']] })
  })

  it('report no hole of a row that was repeated correctly, is still forming or was not requested', () => {
    expect(listen([minute(0), minute(0, { close: 999 }), minute(1)])).toEqual({ kept: [0, 1], rejected: [] })
    expect(listen([minute(-1, { close: 999 }), minute(0), minute(5, { close: 999 })])).toEqual({ kept: [0], rejected: [] })
  })

  it('are malformed if none of several has a readable time', () => {
    expect(() => listen([minute(0, { timeMs: NaN }), minute(1, { timeMs: NaN })])).toThrow('no row can be read')
  })
})
