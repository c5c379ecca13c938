// Kite's historical candles: the calls for a request, and parsing of their rows.
import { describe, expect, it, test } from 'vitest'
import { kiteHistoryPath, kiteHistorySchema, readKiteHistory } from './kite-feed.ts'

const callOf = (step: '1m' | '1h' | '1D', fromMs: number, toMs: number): string => {
  const { pathname, searchParams } = new URL(kiteHistoryPath({ fromMs, toMs }, step, 738_561), 'https://kite.test')
  return `${pathname} ${searchParams.get('from')} .. ${searchParams.get('to')}`
}

test('a call uses Indian time, with both ends included', () => {
  const fromMs = Date.UTC(2026, 10, 20, 3, 45)
  expect(callOf('1m', fromMs, fromMs + 15 * 60_000)).toBe(
    '/instruments/historical/738561/minute 2026-11-20 09:15:00 .. 2026-11-20 09:29:59',
  )
})

test.each([0, -12])('a call for days names their dates in India, %d hours from the stamp', (hours) => {
  const call = callOf('1D', Date.UTC(2026, 10, 17, hours), Date.UTC(2026, 10, 19, hours))
  expect(call).toBe('/instruments/historical/738561/day 2026-11-17 00:00:00 .. 2026-11-18 23:59:59')
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
