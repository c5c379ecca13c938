// Presents a broker connection to its user: its state and the next step, never its keys.
import type { BrokerConnection } from '#shared/brokers/contract.ts'
import { brokersText as text } from '#shared/text/en/brokers.ts'
import type { ConnectionRow } from './repository.ts'

type Shown = Pick<ConnectionRow, 'broker' | 'address' | 'created_at' | 'session_at' | 'expires_at' | 'refused_at'>

/** `isReadable` is false if the credentials were encrypted with a key that this server does not have. */
export function presentConnection(row: Shown, isReadable: boolean, nowMs: number): BrokerConnection {
  const { state, message } = stateOf(row, isReadable, nowMs)
  return {
    broker: row.broker,
    state,
    address: row.address,
    connectedAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    message,
  }
}

function stateOf(row: Shown, isReadable: boolean, nowMs: number): Pick<BrokerConnection, 'state' | 'message'> {
  if (!isReadable) return { state: 'error', message: text.unreadable }
  if (row.session_at === null) return { state: 'login', message: text.loginNote }
  // An expired session explains a rejection after it.
  if (row.expires_at !== null && row.expires_at.getTime() <= nowMs) return { state: 'expired', message: text.expiredNote }
  if (row.refused_at !== null) return { state: 'error', message: row.broker === 'kite' ? text.refusedKite : text.refusedOpenAlgo }
  return { state: 'connected', message: null }
}
