// The tables of market data as Kysely types.
import type { ColumnType } from 'kysely'

interface CandlesTable {
  series: string
  source: string
  step: '1m' | '5m' | '15m' | '30m' | '1h' | '4h' | '1D'
  /** Epoch milliseconds; the driver returns bigint as text. */
  time: ColumnType<string, number, never>
  revision: ColumnType<number, number, never>
  open: ColumnType<number, number, never>
  high: ColumnType<number, number, never>
  low: ColumnType<number, number, never>
  close: ColumnType<number, number, never>
  volume: ColumnType<number | null, number | null, never>
  taker_buy_volume: ColumnType<number | null, number | null, never>
  stored_at: ColumnType<Date, Date, never>
}

interface AdjustmentChecksTable {
  series: string
  source: string
  step: string
  actions: string
  checked_at: Date
}

/** A single row: the last report. */
interface CandleVerificationTable {
  id: number
  report: ColumnType<unknown, string, string>
}

interface CandleRevisionsTable {
  series: string
  source: string
  /** The driver returns bigint as text. */
  revision: ColumnType<string, number | undefined, number>
}

interface CalendarListsTable {
  exchange: 'nse' | 'bse'
  list: ColumnType<unknown, string, string>
  /** The driver returns bigint as text. */
  revision: ColumnType<string, number | undefined, number>
  updated_at: ColumnType<Date, Date, Date>
}

interface RejectedRowsTable {
  series: string
  source: string
  step: string
  /** Epoch milliseconds; the driver returns bigint as text. */
  from_ms: string
  to_ms: string
  issue: string
  answer: string
  answers: number
  counted_at: Date
  is_settled: boolean
}

interface RejectedMessagesTable {
  series: string
  source: string
  is_own: boolean
  /** The driver returns bigint as text. */
  count: string
  issue: string
  rejected_at: Date
}

export interface MarketTables {
  candles: CandlesTable
  adjustment_checks: AdjustmentChecksTable
  candle_verification: CandleVerificationTable
  candle_revisions: CandleRevisionsTable
  calendar_lists: CalendarListsTable
  rejected_rows: RejectedRowsTable
  rejected_messages: RejectedMessagesTable
}
