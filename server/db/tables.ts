// The tables as Kysely types; columns are the migrations' and nothing else.
import type { ColumnType, Generated, Insertable } from 'kysely'

type Timestamp = ColumnType<Date, Date, Date>
type NullableTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>

export interface UsersTable {
  id: Generated<string>
  name: string
  /** Normalised: trimmed, lower case. */
  email: string
  phone: string
  password_hash: string
  role: Generated<'user' | 'admin'>
  status: ColumnType<
    'pending' | 'paid' | 'cancel' | null,
    'pending' | 'paid' | 'cancel' | null | undefined,
    'pending' | 'paid' | 'cancel' | null
  >
  premium_start: NullableTimestamp
  premium_end: NullableTimestamp
  subscription_months: Generated<number>
  payment_type: ColumnType<'crypto' | 'upi' | 'bank' | null, 'crypto' | 'upi' | 'bank' | null | undefined, 'crypto' | 'upi' | 'bank' | null>
  utr_no: ColumnType<string | null, string | null | undefined, string | null>
  created_at: Timestamp
}

export interface SessionsTable {
  id: Generated<string>
  user_id: string
  /** SHA-256 of the cookie; the value itself is never stored. */
  cookie_hash: Buffer
  /** SHA-256 of the Session-Token that belongs to the cookie. */
  token_hash: Buffer
  created_at: Timestamp
  last_seen_at: Timestamp
  address: string
  user_agent: string
  ended_at: NullableTimestamp
  end_reason: ColumnType<string | null, string | null | undefined, string | null>
}

export interface PresenceTable {
  user_id: string
  session_id: string
  tab_id: string
  expires_at: Timestamp
}

export interface RateCountersTable {
  bucket: string
  window_end: Timestamp
  hits: number
}

export interface ChartSettingsTable {
  user_id: string
  flags: ColumnType<Record<string, boolean>, string, string>
  updated_at: Timestamp
}

export interface Tables {
  users: UsersTable
  sessions: SessionsTable
  presence: PresenceTable
  rate_counters: RateCountersTable
  chart_settings: ChartSettingsTable
}

export type NewUser = Insertable<UsersTable>
