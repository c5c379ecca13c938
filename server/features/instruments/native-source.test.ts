// What the Tezi chart can show of a series, as a table of sources, permissions and demo.
import { expect, it } from 'vitest'
import type { LiveCondition } from '#shared/market-data/live/contract.ts'
import type { SourceName } from '#server/features/market-data/feed.ts'
import { parseLicences } from '#server/features/market-data/licences.ts'
import { nativeSourceOf } from './native-source.ts'

const labelled = (mode: 'live' | 'demo' | 'delayed' | 'end-of-day'): LiveCondition => ({
  label: { mode, source: 'x', delayMinutes: 0, proxy: null },
  sessionClass: 'nse-index',
  isStale: false,
  reason: null,
})
const without: LiveCondition = { label: null, sessionClass: 'nse-index', isStale: false, reason: 'The source is away.' }

type Row = readonly [
  key: string,
  sources: readonly SourceName[],
  licences: string,
  condition: LiveCondition | undefined,
  withDemo: string,
  without: string,
]

it.each<Row>([
  ['btc-usdt', ['binance'], '', undefined, 'real', 'real'],
  ['btc-usdt', [], '', undefined, 'demo', 'none'],
  ['btc-usdt', ['kraken'], '', undefined, 'demo', 'none'],
  ['nifty', ['kite'], 'nse=licensed:N', undefined, 'demo', 'none'],
  ['nifty', ['kite'], 'nse=licensed:N,kite=licensed:K', undefined, 'real', 'real'],
  ['eur-usd', ['twelve-data'], '', undefined, 'demo', 'none'],
  ['eur-usd', ['twelve-data'], 'twelve-data=licensed:T', undefined, 'real', 'real'],
  ['btc-usdt', ['binance'], '', labelled('demo'), 'demo', 'demo'],
  ['btc-usdt', ['binance'], '', labelled('delayed'), 'real', 'real'],
  ['reliance', ['csv'], 'nse=licensed:N', undefined, 'end-of-day', 'end-of-day'],
  ['reliance', ['csv', 'kite'], 'nse=licensed:N,kite=licensed:K', undefined, 'real', 'real'],
  ['reliance', ['csv', 'kite'], 'nse=licensed:N,kite=licensed:K', labelled('end-of-day'), 'end-of-day', 'end-of-day'],
  ['btc-usdt', ['binance'], '', without, 'real', 'real'],
])('of %s with %j under "%s", now %j: with demo %s, without %s', (key, sources, text, condition, withDemo, withoutDemo) => {
  const licences = parseLicences(text)
  if (typeof licences === 'string') throw new Error(licences)
  const facts = {
    reach: new Map(),
    conditions: new Map(condition === undefined ? [] : [[key, condition]]),
    nowMs: Date.parse('2026-11-20T06:00:00Z'),
  }
  const states = [true, false].map((hasDemo) => {
    const setup = { hasDemo, missing: new Map() }
    return nativeSourceOf({ ...facts, licences, sources: new Set(sources), setup }, key)
  })
  expect(states).toEqual([withDemo, withoutDemo])
})
