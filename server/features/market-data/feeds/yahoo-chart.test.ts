// Yahoo Finance chart responses: gaps, time zones, the row of the current price, and splits.
import { describe, expect, it } from 'vitest'
import { dayMs } from '#shared/base/durations.ts'
import { readYahooCandles, readYahooSplits, undoSplits, yahooChartSchema, type YahooChart } from './yahoo-feed.ts'

type Column = readonly (number | null)[]

interface Parts {
  readonly meta?: Readonly<Record<string, unknown>>
  readonly timestamp?: readonly number[]
  readonly columns?: Readonly<Partial<Record<'open' | 'high' | 'low' | 'close' | 'volume', Column>>>
  readonly events?: unknown
}

function answerOf(parts: Parts): YahooChart {
  const { meta = {}, timestamp, columns = {}, events } = parts
  const result = { meta: { symbol: 'X', ...meta }, timestamp, events, indicators: { quote: [columns] } }
  return yahooChartSchema.parse({ chart: { result: [result], error: null } })
}

const share = { instrumentType: 'EQUITY', exchangeTimezoneName: 'Asia/Kolkata' }
const openMs = Date.UTC(2026, 10, 20, 3, 45)
const flat = (count: number, value: number): number[] => Array<number>(count).fill(value)

describe('a response without candles', () => {
  it.each([
    ['nothing found', yahooChartSchema.parse({ chart: { result: null, error: { code: 'Not Found', description: 'No data found' } } })],
    ['no rows in the span', answerOf({ meta: share })],
    ['rows without prices', answerOf({ meta: share, timestamp: [openMs / 1000] })],
  ])('is parsed as empty: %s', (_, answer) => {
    expect(readYahooCandles(answer, '1m')).toEqual([])
    expect(readYahooSplits(answer)).toEqual([])
  })

  it('is rejected if invalid', () => {
    expect(yahooChartSchema.safeParse('Too Many Requests').success).toBe(false)
    expect(yahooChartSchema.safeParse({ finance: { error: { code: 'Unauthorized' } } }).success).toBe(false)
  })
})

describe('rows', () => {
  const columns = {
    open: [100, null, 102, 103],
    high: [101, null, 103, 103],
    low: [99, null, 101, 103],
    close: [100.5, null, 102.5, 103],
    volume: [10, null, null, 0],
  }
  const timestamp = [openMs, openMs + 60_000, openMs + 120_000, openMs + 187_000].map((ms) => ms / 1000)

  it('with a gap, or off the minute grid, are skipped', () => {
    const candles = readYahooCandles(answerOf({ meta: share, timestamp, columns }), '1m')
    expect(candles).toEqual([
      { timeMs: openMs, open: 100, high: 101, low: 99, close: 100.5, volume: 10, takerBuyVolume: null },
      { timeMs: openMs + 120_000, open: 102, high: 103, low: 101, close: 102.5, volume: 0, takerBuyVolume: null },
    ])
  })

  it.each(['INDEX', 'CURRENCY'])('have no volume for kind %s', (instrumentType) => {
    const candles = readYahooCandles(answerOf({ meta: { ...share, instrumentType }, timestamp, columns }), '1m')
    expect(candles.map((candle) => candle.volume)).toEqual([null, null])
  })

  it('of an hour start when the exchange opens', () => {
    const one = { open: [1], high: [1], low: [1], close: [1], volume: [1] }
    expect(readYahooCandles(answerOf({ meta: share, timestamp: [openMs / 1000], columns: one }), '1h')[0]?.timeMs).toBe(openMs)
  })

  it.each([
    ['a share of India', 'Asia/Kolkata', Date.UTC(2026, 10, 20, 3, 45), Date.UTC(2026, 10, 20)],
    ['a currency in the London summer', 'Europe/London', Date.UTC(2026, 6, 9, 23), Date.UTC(2026, 6, 10)],
    ['a currency in the London winter', 'Europe/London', Date.UTC(2026, 10, 20), Date.UTC(2026, 10, 20)],
    ['a future of New York', 'America/New_York', Date.UTC(2026, 10, 20, 5), Date.UTC(2026, 10, 20)],
    ['a zone that does not exist', 'Moon/Crater', Date.UTC(2026, 10, 20, 5), Date.UTC(2026, 10, 20)],
  ])('of a day are stamped 00:00 UTC of the date: %s', (_, exchangeTimezoneName, ms, stampMs) => {
    const one = { open: [1], high: [1], low: [1], close: [1], volume: [1] }
    const answer = answerOf({ meta: { ...share, exchangeTimezoneName }, timestamp: [ms / 1000], columns: one })
    expect(readYahooCandles(answer, '1D')[0]?.timeMs).toBe(stampMs)
  })

  it.each([
    [2999.800048828125, 2999.8],
    [79_500.453125, 79_500.45],
    [152.12300109863281, 152.123],
    [1.1220825910568237, 1.122083],
  ])('lose the 32-bit float noise: %d is %d', (stated, meant) => {
    const one = { open: [stated], high: [stated], low: [stated], close: [stated] }
    expect(readYahooCandles(answerOf({ meta: share, timestamp: [openMs / 1000], columns: one }), '1m')[0]?.close).toBe(meant)
  })
})

describe('splits', () => {
  const exDayMs = Date.UTC(2025, 5, 16)
  const events = { splits: { '1750045500': { date: 1_750_045_500, numerator: 10, denominator: 1, splitRatio: '10:1' } } }

  it('are parsed with their ratio, and skipped without one', () => {
    const odd = { splits: { ...events.splits, '1': { date: 1, numerator: 1, denominator: 0 } } }
    expect(readYahooSplits(answerOf({ meta: share, events: odd }))).toEqual([{ timeMs: 1_750_045_500_000, ratio: 10 }])
  })

  it('are reverted: earlier prices are unadjusted, prices from the ex-date on are unchanged', () => {
    const columns = { open: flat(2, 93.5), high: flat(2, 94), low: flat(2, 93), close: flat(2, 93.62), volume: flat(2, 5000) }
    const timestamp = [exDayMs - dayMs, exDayMs].map((ms) => (ms + 13_500_000) / 1000)
    const answer = answerOf({ meta: share, timestamp, columns, events })
    const candles = undoSplits(readYahooCandles(answer, '1D'), readYahooSplits(answer))
    expect(candles.map(({ timeMs, close, volume }) => [timeMs, close, volume])).toEqual([
      [exDayMs - dayMs, 936.2, 500],
      [exDayMs, 93.62, 5000],
    ])
  })

  it('multiply in sequence, and keep a missing volume missing', () => {
    const candle = { timeMs: 0, open: 1, high: 1, low: 1, close: 1, volume: null, takerBuyVolume: null }
    const splits = [
      { timeMs: 5 * dayMs, ratio: 2 },
      { timeMs: 9 * dayMs, ratio: 5 },
    ]
    expect(undoSplits([candle], splits)).toEqual([{ ...candle, open: 10, high: 10, low: 10, close: 10 }])
  })
})
