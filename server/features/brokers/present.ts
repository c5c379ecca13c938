// Presents a broker connection to its user: its state and the next step, never its keys.
import type { BrokerConnection } from '#shared/brokers/contract.ts'
import { inEnglish } from '#shared/http/app-error.ts'
import type { PlainCode } from '#shared/text/messages.ts'
import type { ConnectionRow } from './repository.ts'

type Shown = Pick<ConnectionRow, 'broker' | 'address' | 'created_at' | 'session_at' | 'expires_at' | 'refused_at'>

/** `isReadable` is false if the credentials were encrypted with a key that this server does not have. */
export function presentConnection(row: Shown, isReadable: boolean, nowMs: number): BrokerConnection {
  const { state, code } = stateOf(row, isReadable, nowMs)
  return {
    broker: row.broker,
    state,
    address: row.address,
    connectedAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    message: code === null ? null : inEnglish(code),
    ...(code === null ? {} : { code }),
  }
}

function stateOf(row: Shown, isReadable: boolean, nowMs: number): { state: BrokerConnection['state']; code: PlainCode | null } {
  if (!isReadable) return { state: 'error', code: 'brokers.unreadable' }
  if (row.session_at === null) return { state: 'login', code: 'brokers.loginNote' }
  // An expired session explains a rejection after it.
  if (row.expires_at !== null && row.expires_at.getTime() <= nowMs) return { state: 'expired', code: 'brokers.expiredNote' }
  if (row.refused_at !== null) return { state: 'error', code: row.broker === 'kite' ? 'brokers.refusedKite' : 'brokers.refusedOpenAlgo' }
  return { state: 'connected', code: null }
}
