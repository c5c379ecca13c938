// Kite's historical candles: the calls for a request, and parsing of their rows.
import { describe, expect, it } from 'vitest'
import { dayMs, hourMs } from '#shared/base/durations.ts'
import type { HistoryRequest } from '../feed.ts'
import { kiteHistoryPaths, kiteHistorySchema, readKiteHistory } from './kite-history.ts'

const nowMs = Date.UTC(2026, 10, 20, 6, 30)

function spansOf(request: Omit<HistoryRequest, 'symbol'>): string[] {
  return kiteHistoryPaths({ symbol: 'NSE:RELIANCE', ...request }, 738_561, nowMs).map((path) => {
    const { pathname, searchParams } = new URL(path, 'https://kite.test')
    return `${pathname.replace('/instruments/historical/738561/', '')} ${searchParams.get('from')} .. ${searchParams.get('to')}`
  })
}

describe('the calls for a request', () => {
  it('are empty for an empty range and for the future', () => {
    expect(spansOf({ step: '1m', fromMs: nowMs, toMs: nowMs })).toEqual([])
    expect(spansOf({ step: '1D', fromMs: nowMs + dayMs, toMs: nowMs + 9 * dayMs })).toEqual([])
  })

  it('use Indian time, with both ends included', () => {
    const fromMs = Date.UTC(2026, 10, 20, 3, 45)
    expect(spansOf({ step: '1m', fromMs, toMs: fromMs + 15 * 60_000 })).toEqual(['minute 2026-11-20 09:15:00 .. 2026-11-20 09:29:59'])
  })

  it('end at the current time', () => {
    expect(spansOf({ step: '1h', fromMs: nowMs - hourMs, toMs: nowMs + dayMs })).toEqual([
      '60minute 2026-11-20 11:00:00 .. 2026-11-20 11:59:59',
    ])
  })

  it('request days by their dates in India', () => {
    expect(spansOf({ step: '1D', fromMs: Date.UTC(2026, 10, 17), toMs: Date.UTC(2026, 10, 19) })).toEqual([
      'day 2026-11-17 00:00:00 .. 2026-11-18 23:59:59',
    ])
    expect(spansOf({ step: '1D', fromMs: Date.UTC(2026, 10, 16, 12), toMs: Date.UTC(2026, 10, 18, 12) })).toEqual([
      'day 2026-11-17 00:00:00 .. 2026-11-18 23:59:59',
    ])
  })

  it.each([
    ['1m', 60],
    ['1h', 400],
    ['1D', 2000],
  ] as const)('split a long request for %s into consecutive spans of %d days', (step, days) => {
    const fromMs = Math.floor(nowMs / dayMs - 2.5 * days) * dayMs
    const paths = kiteHistoryPaths({ symbol: 'NSE:RELIANCE', step, fromMs, toMs: nowMs }, 738_561, nowMs)
    const spans = paths.map((path) => {
      const { searchParams } = new URL(path, 'https://kite.test')
      const read = (name: string): number => Date.parse(`${searchParams.get(name)?.replace(' ', 'T')}+05:30`)
      return { from: read('from'), to: read('to') }
    })
    expect(spans).toHaveLength(3)
    for (const [i, span] of spans.entries()) {
      expect(span.to - span.from).toBeLessThan(days * dayMs)
      if (i > 0) expect(span.from).toBe((spans[i - 1]?.to ?? 0) + 1000)
    }
  })
})

describe('the rows of a response', () => {
  const rowsOf = (...candles: unknown[]) => kiteHistorySchema.parse({ status: 'success', data: { candles } })

  it('are rejected if there is no list', () => {
    expect(kiteHistorySchema.safeParse({ data: null }).success).toBe(false)
  })

  it('may be numbers as text, and NaN where one cannot be read', () => {
    const answer = rowsOf(['2026-11-20T09:15:00+0530', '1e2', '101.5', 99, '100', '7'], ['2026-11-20T09:16:00+0530', 1, 2], null)
    expect(readKiteHistory(answer, '1m', false)).toMatchObject([
      { open: 100, high: 101.5, low: 99, close: 100, volume: 7 },
      { timeMs: Date.UTC(2026, 10, 20, 3, 46), close: NaN },
      { timeMs: NaN, open: NaN },
    ])
  })

  it('are stamped with the start of their minute or hour', () => {
    const [candle] = readKiteHistory(rowsOf(['2026-11-20T09:15:00+0530', 1440, 1442.5, 1439.1, 1441, 2499]), '1h', false)
    expect(candle).toEqual({
      timeMs: Date.UTC(2026, 10, 20, 3, 45),
      open: 1440,
      high: 1442.5,
      low: 1439.1,
      close: 1441,
      volume: 2499,
      takerBuyVolume: null,
    })
  })

  it('are stamped 00:00 UTC of their date for days, and have no volume for an index', () => {
    const [candle] = readKiteHistory(rowsOf(['2026-11-20T00:00:00+0530', 24_000, 24_100, 23_900, 24_050, 0, 0]), '1D', true)
    expect(candle).toMatchObject({ timeMs: Date.UTC(2026, 10, 20), volume: null })
  })

  it('report an unreadable timestamp', () => {
    expect(readKiteHistory(rowsOf(['tomorrow', 1, 1, 1, 1, 1]), '1D', false)[0]?.timeMs).toBeNaN()
  })
})
