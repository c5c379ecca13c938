// The tables of second factors as types.
import type { ColumnType, Generated } from 'kysely'

type Timestamp = ColumnType<Date, Date, Date>
type NullableTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>

interface TotpSecretsTable {
  user_id: string
  is_pending: boolean
  /** Encrypted. */
  secret: Buffer
  created_at: Timestamp
  /** The driver returns bigint as text. */
  last_step: ColumnType<string, number | undefined, number>
}

interface PasskeysTable {
  id: string
  user_id: string
  name: string
  public_key: Buffer
  /** The driver returns bigint as text. */
  counter: ColumnType<string, number, number>
  transports: string[]
  created_at: Timestamp
  last_used_at: NullableTimestamp
}

interface PasskeyRegistrationsTable {
  session_id: string
  user_id: string
  challenge: string
  expires_at: Timestamp
}

interface RecoveryCodesTable {
  user_id: string
  code_hash: Buffer
  created_at: Timestamp
  used_at: NullableTimestamp
}

interface SignInChallengesTable {
  token_hash: Buffer
  user_id: string
  created_at: Timestamp
  expires_at: Timestamp
  attempts: Generated<number>
  passkey_challenge: ColumnType<string | null, string | null | undefined, string | null>
}

export interface FactorTables {
  totp_secrets: TotpSecretsTable
  passkeys: PasskeysTable
  passkey_registrations: PasskeyRegistrationsTable
  recovery_codes: RecoveryCodesTable
  sign_in_challenges: SignInChallengesTable
}
