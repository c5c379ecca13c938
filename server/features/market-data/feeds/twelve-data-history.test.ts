// Parsing of Twelve Data's time series and price messages.
import { describe, expect, it, test } from 'vitest'
import { readTwelveDataRows, twelveDataPath, twelveDataSeriesSchema, readTwelveDataMessage, twelveDataCall } from './twelve-data-feed.ts'

test('the path of a call has its ends in UTC, both included', () => {
  const span = { fromMs: Date.UTC(2026, 10, 19), toMs: Date.UTC(2026, 10, 20, 6, 30) }
  const query = new URL(twelveDataPath('EUR/USD', '1h', span), 'https://td.test').searchParams
  expect(Object.fromEntries(query)).toMatchObject({
    symbol: 'EUR/USD',
    interval: '1h',
    start_date: '2026-11-19T00:00:00',
    end_date: '2026-11-20T06:29:59',
    timezone: 'UTC',
  })
})

describe('a response', () => {
  it('is rejected if invalid', () => {
    expect(twelveDataSeriesSchema.safeParse({ values: 'none' }).success).toBe(false)
    expect(twelveDataSeriesSchema.safeParse([]).success).toBe(false)
  })

  it('can be an error', () => {
    expect(twelveDataSeriesSchema.parse({ code: 429, message: 'You have run out of API credits', status: 'error' })).toMatchObject({
      code: 429,
    })
  })

  it('gives candles in UTC, days by their date, and volume only if it is sent', () => {
    const answer = twelveDataSeriesSchema.parse({
      meta: { symbol: 'EUR/USD' },
      status: 'ok',
      values: [
        { datetime: '2026-11-20 06:29:00', open: '1.16010', high: '1.16030', low: '1.16000', close: '1.16020' },
        { datetime: '2026-11-20', open: '1440', high: '1441', low: '1439', close: '1440.5', volume: '9100200' },
        { datetime: 'soon', open: '1', high: '1', low: '1', close: '1' },
      ],
    })
    const rows = 'values' in answer ? readTwelveDataRows(answer.values) : []
    expect(rows).toEqual([
      { timeMs: Date.UTC(2026, 10, 20, 6, 29), open: 1.1601, high: 1.1603, low: 1.16, close: 1.1602, volume: null, takerBuyVolume: null },
      { timeMs: Date.UTC(2026, 10, 20), open: 1440, high: 1441, low: 1439, close: 1440.5, volume: 9_100_200, takerBuyVolume: null },
      expect.objectContaining({ timeMs: Number.NaN }),
    ])
  })
})

describe('a message', () => {
  it.each([{}, { price: 0, timestamp: 1 }, { price: 'five', timestamp: 1 }])('without a usable price names its symbol: %j', (rest) => {
    const text = JSON.stringify({ event: 'price', symbol: 'X', ...rest })
    expect(readTwelveDataMessage(text)).toEqual({ event: 'unusable', symbol: 'X' })
  })

  it.each(['', 'null', '{}', '[]', '{"event":"price","price":5,"timestamp":1}'])('is rejected if invalid: %s', (text) => {
    expect(readTwelveDataMessage(text)).toBeNull()
  })

  it.each([
    [
      { event: 'price', symbol: 'EUR/USD', price: 1.1602, timestamp: 1_795_156_200, day_volume: 5 },
      { price: 1.1602, timestamp: 1_795_156_200 },
    ],
    [{ event: 'subscribe-status', status: 'ok', success: [{ symbol: 'EUR/USD', exchange: 'FOREX' }], fails: null }, { fails: null }],
    [{ event: 'subscribe-status', status: 'error', messages: ['bad'] }, { event: 'subscribe-status' }],
    [{ event: 'heartbeat', status: 'ok' }, { event: 'other' }],
    [
      { status: 'error', code: 401, message: 'bad key' },
      { event: 'error', code: 401 },
    ],
  ])('is parsed: %j', (message, expected) => {
    expect(readTwelveDataMessage(JSON.stringify(message))).toMatchObject(expected)
  })

  it('subscribes several symbols at once', () => {
    expect(JSON.parse(twelveDataCall('subscribe', ['EUR/USD', 'XAU/USD']))).toEqual({
      action: 'subscribe',
      params: { symbols: 'EUR/USD,XAU/USD' },
    })
  })
})
