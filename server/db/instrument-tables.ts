// The table of instrument settings as a Kysely type.
import type { ColumnType } from 'kysely'
import type { Substitute } from '#shared/chart/chart-choice.ts'

export interface InstrumentSettingsTable {
  slug: string
  /** Null for the built-in value, in all of these. */
  symbol: string | null
  widget: 'live' | 'end-of-day' | 'none' | null
  substitutes: ColumnType<readonly Substitute[] | null, string | null, string | null>
  first_chart: 'tradingview' | 'tezi' | null
  is_hidden: boolean
  version: number
  updated_at: ColumnType<Date, Date, Date>
}
