// Missing settings of enabled sources.
import { expect, test } from 'vitest'
import { missingSettings } from './market-config.ts'

const none = { twelveDataKey: undefined, kiteKey: undefined, kiteToken: undefined, openAlgoKey: undefined, csvDir: undefined }

test('a disabled source misses nothing', () => {
  expect([...missingSettings({ ...none, sources: new Set() })]).toEqual([])
})

test('each enabled source lists what it misses, and public ones need nothing', () => {
  const sources = new Set(['binance', 'kraken', 'coinbase', 'yahoo', 'twelve-data', 'kite', 'openalgo', 'csv'] as const)
  expect(Object.fromEntries(missingSettings({ ...none, sources }))).toEqual({
    'twelve-data': ['TWELVE_DATA_KEY'],
    kite: ['KITE_API_KEY', 'KITE_ACCESS_TOKEN'],
    openalgo: ['OPENALGO_KEY'],
    csv: ['CSV_DIR'],
  })
})

test('present settings are not listed, and no value is ever shown', () => {
  const missing = missingSettings({ ...none, kiteKey: 'secret-key', csvDir: '/data', sources: new Set(['kite', 'csv'] as const) })
  expect(Object.fromEntries(missing)).toEqual({ kite: ['KITE_ACCESS_TOKEN'] })
  expect(JSON.stringify([...missing])).not.toContain('secret')
})
