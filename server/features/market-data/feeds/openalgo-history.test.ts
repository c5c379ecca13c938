// Parsing of OpenAlgo's history, symbols and messages.
import { describe, expect, it } from 'vitest'
import { dayMs } from '#shared/base/durations.ts'
import {
  openAlgoDates,
  openAlgoHistorySchema,
  readOpenAlgoHistory,
  openAlgoCall,
  openAlgoTimeMs,
  readOpenAlgoMessage,
  isOpenAlgoIndex,
  openAlgoSessionClass,
  readOpenAlgoSymbol,
  writeOpenAlgoSymbol,
} from './openalgo-feed.ts'

const nowMs = Date.UTC(2026, 10, 20, 6, 30)

describe('a symbol', () => {
  it.each(['', 'RELIANCE', ':RELIANCE', 'NSE:'])('is rejected if invalid: %j', (text) => {
    expect(readOpenAlgoSymbol(text)).toBeNull()
  })

  it.each([
    ['NSE:RELIANCE', { exchange: 'NSE', symbol: 'RELIANCE' }, false, 'nse-equity'],
    ['NSE_INDEX:NIFTY', { exchange: 'NSE_INDEX', symbol: 'NIFTY' }, true, 'nse-index'],
    ['BSE_INDEX:SENSEX', { exchange: 'BSE_INDEX', symbol: 'SENSEX' }, true, 'bse-index'],
    ['MCX:GOLD', { exchange: 'MCX', symbol: 'GOLD' }, false, null],
  ])('is parsed and formatted: %s', (text, parts, isIndex, sessionClass) => {
    expect(readOpenAlgoSymbol(text)).toEqual(parts)
    expect(writeOpenAlgoSymbol(parts)).toBe(text)
    expect(isOpenAlgoIndex(parts)).toBe(isIndex)
    expect(openAlgoSessionClass(parts)).toBe(sessionClass)
  })
})

describe('the dates of a request', () => {
  const datesOf = (step: '1m' | '1h' | '1D', fromMs: number, toMs: number) => openAlgoDates({ fromMs, toMs: Math.min(toMs, nowMs) }, step)

  it('are empty for an empty range in the past', () => {
    expect(datesOf('1m', nowMs + dayMs, nowMs + 2 * dayMs)).toEqual([])
  })

  it('are Indian dates', () => {
    expect(datesOf('1m', Date.UTC(2026, 10, 19, 3, 45), nowMs + dayMs)).toEqual([{ start_date: '2026-11-19', end_date: '2026-11-20' }])
    expect(datesOf('1m', Date.UTC(2026, 10, 18, 19), Date.UTC(2026, 10, 19, 4))).toEqual([
      { start_date: '2026-11-19', end_date: '2026-11-19' },
    ])
    expect(datesOf('1D', Date.UTC(2026, 10, 17), Date.UTC(2026, 10, 19))).toEqual([{ start_date: '2026-11-17', end_date: '2026-11-19' }])
  })

  it('are split into consecutive spans', () => {
    const dates = datesOf('1m', nowMs - 60 * dayMs, nowMs)
    expect(dates[0]?.start_date).toBe('2026-09-21')
    expect(dates.at(-1)?.end_date).toBe('2026-11-20')
    for (const [i, date] of dates.entries()) {
      const days = (Date.parse(date.end_date) - Date.parse(date.start_date)) / dayMs + 1
      expect(days).toBeLessThanOrEqual(26)
      if (i > 0) expect(Date.parse(date.start_date)).toBeLessThanOrEqual(Date.parse(dates[i - 1]?.end_date ?? '') + dayMs)
    }
  })
})

describe('the rows of a response', () => {
  it.each([
    { status: 'error', message: 'Invalid openalgo apikey' },
    { status: 'success', data: 'nothing' },
  ])('are rejected if invalid: %j', (answer) => {
    expect(openAlgoHistorySchema.safeParse(answer).success).toBe(false)
  })

  const stampOf = (timestamp: number | string, step: '1m' | '1D') => {
    const answer = openAlgoHistorySchema.parse({
      status: 'success',
      data: [{ timestamp, open: 1, high: 2, low: 1, close: 2, volume: 7, oi: 0 }],
    })
    return readOpenAlgoHistory(answer, step, false)[0]?.timeMs
  }

  it.each([
    ['seconds', Date.UTC(2026, 10, 20, 3, 45) / 1000, '1m', Date.UTC(2026, 10, 20, 3, 45)],
    ['milliseconds', Date.UTC(2026, 10, 20, 3, 45), '1m', Date.UTC(2026, 10, 20, 3, 45)],
    ['a text', '2026-11-20 09:15:00+05:30', '1m', Date.UTC(2026, 10, 20, 3, 45)],
    ['seconds as text', `${Date.UTC(2026, 10, 20, 3, 45) / 1000}`, '1m', Date.UTC(2026, 10, 20, 3, 45)],
    ['an odd text', 'morning', '1D', Number.NaN],
    ['a day at midnight in India', Date.UTC(2026, 10, 19, 18, 30) / 1000, '1D', Date.UTC(2026, 10, 20)],
    ['a day at midnight UTC', Date.UTC(2026, 10, 20) / 1000, '1D', Date.UTC(2026, 10, 20)],
    ['a day as a date', '2026-11-20', '1D', Date.UTC(2026, 10, 20)],
  ] as const)('are timestamped by %s', (_, timestamp, step, expected) => {
    expect(stampOf(timestamp, step)).toEqual(expected)
  })

  it('may be text, and NaN where one cannot be read', () => {
    const data = [{ timestamp: 1, open: '1.5e2', high: '151', low: 149, close: '150', volume: '7' }, { timestamp: 61, open: null }, null]
    const answer = openAlgoHistorySchema.parse({ status: 'success', data })
    expect(readOpenAlgoHistory(answer, '1m', false)).toMatchObject([
      { open: 150, high: 151, low: 149, close: 150, volume: 7 },
      { timeMs: 61_000, open: NaN, close: NaN },
      { timeMs: NaN },
    ])
  })

  it('have no volume for an index', () => {
    const answer = openAlgoHistorySchema.parse({
      status: 'success',
      data: [{ timestamp: 1, open: 1, high: 2, low: 1, close: 2, volume: 7 }],
    })
    expect(readOpenAlgoHistory(answer, '1m', true)[0]?.volume).toBeNull()
    expect(readOpenAlgoHistory(answer, '1m', false)[0]?.volume).toBe(7)
  })
})

describe('a message', () => {
  it.each(['', 'null', '{}', '{"type":"market_data","exchange":"NSE","data":{"ltp":5}}'])('is rejected if invalid: %s', (text) => {
    expect(readOpenAlgoMessage(text)).toBeNull()
  })

  it.each([
    [{ ltp: 0 }, true],
    [{ ltp: 0, volume: 7, timestamp: 1 }, true],
    [{ ltp: null }, true],
    [{}, true],
    [{ ltp: -5 }, false],
    [{ ltp: 'five' }, false],
    [{ ltp: 5, volume: -1 }, false],
    [undefined, false],
  ])('with an unusable quote %j names its symbol', (data, isEmpty) => {
    const message = { type: 'market_data', exchange: 'NSE', symbol: 'X', data }
    expect(readOpenAlgoMessage(JSON.stringify(message))).toEqual({ type: 'unusable', exchange: 'NSE', symbol: 'X', isEmpty })
  })

  it.each([
    [
      { type: 'market_data', exchange: 'NSE', symbol: 'X', mode: 2, data: { ltp: 5, volume: 7, timestamp: 1 } },
      { data: { ltp: 5, volume: 7 } },
    ],
    [{ type: 'market_data', exchange: 'NSE', symbol: 'X', mode: 1, data: { ltp: 5, volume: null } }, { data: { ltp: 5, volume: null } }],
    [{ type: 'market_data', exchange: 'NSE', symbol: 'X', data: { ltp: '5e0', volume: '7' } }, { data: { ltp: 5, volume: 7 } }],
    [{ type: 'auth', status: 'success', broker: 'zerodha' }, { type: 'auth' }],
    [
      { type: 'subscribe', status: 'partial', subscriptions: [{ exchange: 'NSE', symbol: 'X', status: 'error', message: 'no' }] },
      { type: 'subscribe' },
    ],
    [{ type: 'pong', status: 'success' }, { type: 'other' }],
    [
      { status: 'error', code: 'AUTHENTICATION_ERROR', message: 'Invalid API key' },
      { type: 'error', code: 'AUTHENTICATION_ERROR' },
    ],
  ])('is parsed: %j', (message, expected) => {
    expect(readOpenAlgoMessage(JSON.stringify(message))).toMatchObject(expected)
  })

  it.each([
    [1_795_156_200_123, 1_795_156_200_123],
    [1_795_156_200, 1_795_156_200_000],
    [0, null],
    ['20-11-2026', null],
    [undefined, null],
  ])('has its time in %s parsed as %s', (stated, meant) => {
    expect(openAlgoTimeMs(stated)).toBe(meant)
  })

  it('requests quotes of several symbols', () => {
    const call = JSON.parse(openAlgoCall('subscribe', [{ exchange: 'NSE', symbol: 'X' }])) as unknown
    expect(call).toMatchObject({ action: 'subscribe', mode: 'Quote', symbols: [{ exchange: 'NSE', symbol: 'X' }] })
  })
})
