// Which symbols must pass the preview before a setting is saved.
import { expect, it } from 'vitest'
import type { InstrumentSetting } from '#shared/instruments/admin-instrument-contract.ts'
import { checkKey, checksOf, normalizeSetting } from './rules.ts'

const etf = { symbol: 'BSE:ETF', title: 'An ETF', widget: 'end-of-day', sessionClass: 'bse-index' } as const
const saved: InstrumentSetting = { symbol: 'NSE:X', widget: 'none', substitutes: [etf], firstChart: null, isHidden: false }

it.each<readonly [Partial<InstrumentSetting>, readonly string[]]>([
  [{}, []],
  [{ isHidden: true, firstChart: 'tezi' }, []],
  [{ substitutes: [] }, []],
  [{ substitutes: [{ ...etf, title: 'Another name' }] }, []],
  [{ substitutes: [{ ...etf, sessionClass: null }] }, []],
  [{ widget: 'live' }, ['NSE:X 1']],
  [{ widget: 'end-of-day' }, ['NSE:X 1D']],
  [{ symbol: 'NSE:Y' }, []],
  [{ symbol: ' bse:y ', widget: 'live' }, ['BSE:Y 1']],
  [{ substitutes: [{ ...etf, widget: 'live' }] }, ['BSE:ETF 1']],
  [{ substitutes: [etf, { ...etf, symbol: 'BSE:NEW' }] }, ['BSE:NEW 1D']],
  [{ substitutes: [{ ...etf, symbol: '' }] }, []],
])('%j requires a check of %j', (change, keys) => {
  expect(checksOf({ ...saved, ...change }, saved).map((check) => checkKey(check))).toEqual(keys)
})

it('symbols are sent in upper case and trimmed', () => {
  const typed = { ...saved, symbol: ' nse:y ', substitutes: [{ ...etf, symbol: 'bse:etf', title: ' An ETF ' }] }
  expect(normalizeSetting(typed)).toEqual({ ...saved, symbol: 'NSE:Y' })
})
