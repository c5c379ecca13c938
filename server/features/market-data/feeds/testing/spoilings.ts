// The ways in which one row of a provider can be wrong, as seen in the field.
import type { ProviderRow } from './provider-rows.ts'

const number = (row: ProviderRow, field: 'open' | 'high'): number => Number(row.get(field))

export const spoilings = {
  'close above high': (row) => row.set('close', number(row, 'high') * 1.0001),
  'low above open': (row) => row.set('low', number(row, 'open') + 1),
  'a low of zero': (row) => row.set('low', 0),
  'twice the price': (row) => row.set('close', number(row, 'high') * 2),
  'a missing price': (row) => row.set('open', null),
  'a price that is a word': (row) => row.set('high', 'n/a'),
  'an infinite price': (row) => row.set('high', '1e999'),
  'a negative volume': (row) => row.set('volume', -5),
  'a time off the grid': (row) => row.setTime(row.timeMs + 30_000),
  'a time in the future': (row) => row.setTime(row.timeMs + 400 * 86_400_000),
  'no time': (row) => row.set('time', null),
  'no row': (row) => row.clear(),
} as const satisfies Readonly<Record<string, (row: ProviderRow) => void>>

export type Spoiling = keyof typeof spoilings

export const spoilingNames = Object.keys(spoilings) as Spoiling[]
