// Spans with and without trading.
import { expect, test } from 'vitest'
import type { SessionClass } from './session-class.ts'
import { coveredSince, hasTrading, tradingGaps } from './trading-gaps.ts'

const at = (text: string): number => Date.parse(`${text}:00Z`)
const span = (from: string, to: string) => ({ fromMs: at(from), toMs: at(to) })

test.for<[SessionClass, string, string, boolean]>([
  ['crypto', '2026-11-21T10:00', '2026-11-21T10:01', true],
  ['crypto', '2026-11-21T10:00', '2026-11-21T10:00', false],
  // From Friday 17:00 to Sunday 17:00 in New York.
  ['fx', '2026-11-20T22:00', '2026-11-22T22:00', false],
  ['fx', '2026-11-20T21:59', '2026-11-22T22:00', true],
  ['fx', '2026-11-20T22:00', '2026-11-22T22:01', true],
  // The daily hour without trading.
  ['metals', '2026-11-19T22:00', '2026-11-19T23:00', false],
  // Night, and the holiday of 24 November.
  ['nse-index', '2026-11-23T10:30', '2026-11-25T03:45', false],
  ['nse-index', '2026-11-23T10:30', '2026-11-25T03:46', true],
])('%s from %s to %s: %s', ([sessionClass, from, to, expected]) => {
  expect(hasTrading(sessionClass, span(from, to))).toBe(expected)
})

test('in a closing auction only the print needs a candle', () => {
  expect(hasTrading('nse-equity', span('2026-11-20T09:46', '2026-11-20T10:00'))).toBe(false)
  expect(hasTrading('nse-equity', span('2026-11-20T10:00', '2026-11-20T10:01'))).toBe(true)
  expect(hasTrading('nse-equity', span('2026-11-20T10:01', '2026-11-20T10:05'))).toBe(false)
})

test('index values after the last trades may all be missing, but not some of them', () => {
  const [open, lastTrade, cut, close] = ['2026-11-20T03:45', '2026-11-20T10:00', '2026-11-20T10:02', '2026-11-20T10:05'] as const
  expect(hasTrading('nse-index', span(lastTrade, close))).toBe(false)
  expect(hasTrading('nse-index', span(lastTrade, '2026-11-23T03:45'))).toBe(false)
  expect(hasTrading('nse-index', span(cut, close))).toBe(true)
  expect(hasTrading('nse-index', span(cut, '2026-11-23T03:45'))).toBe(true)
  expect(hasTrading('bse-index', span(lastTrade, cut))).toBe(true)
  expect(coveredSince('nse-index', at('2026-11-23T03:50'), [span(open, cut), span('2026-11-23T03:45', '2026-11-23T03:50')])).toBe(
    at('2026-11-23T03:45'),
  )
})

test('a weekend between two covered spans is not a gap, an hour of trading is', () => {
  const friday = span('2026-11-19T22:00', '2026-11-20T22:00')
  const monday = span('2026-11-22T22:00', '2026-11-23T10:00')
  const week = span('2026-11-19T22:00', '2026-11-23T10:00')
  expect(tradingGaps('fx', week, [friday, monday])).toEqual([])
  expect(coveredSince('fx', monday.toMs, [friday, monday])).toBe(friday.fromMs)
  const late = { ...monday, fromMs: monday.fromMs + 3_600_000 }
  expect(tradingGaps('fx', week, [friday, late])).toEqual([{ fromMs: friday.toMs, toMs: late.fromMs }])
  expect(coveredSince('fx', late.toMs, [friday, late])).toBe(late.fromMs)
  expect(coveredSince('fx', late.toMs + 60_000, [friday, late])).toBe(late.toMs + 60_000)
})
