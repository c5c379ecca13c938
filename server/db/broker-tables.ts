// The table of users' own brokers as types.
import type { ColumnType, Generated } from 'kysely'
import type { BrokerName } from '#shared/brokers/contract.ts'

type Timestamp = ColumnType<Date, Date, Date>
type NullableTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>

interface BrokerConnectionsTable {
  user_id: string
  broker: BrokerName
  /** Encrypted. */
  secret: Buffer
  address: string | null
  version: Generated<string>
  created_at: Timestamp
  session_at: NullableTimestamp
  expires_at: NullableTimestamp
  refused_at: NullableTimestamp
  login_hash: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
  login_session: ColumnType<string | null, string | null | undefined, string | null>
  login_expires_at: NullableTimestamp
}

export interface BrokerTables {
  broker_connections: BrokerConnectionsTable
}
