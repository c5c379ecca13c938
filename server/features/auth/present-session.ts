// A session as listed for its user.
import type { UserSession } from '#shared/auth/session-contract.ts'

interface SessionRow {
  readonly id: string
  readonly created_at: Date
  readonly last_seen_at: Date
  readonly address: string
  readonly user_agent: string
}

/** `currentId` is the session of the request. */
export function presentSession(row: SessionRow, currentId: string): UserSession {
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    address: row.address,
    userAgent: row.user_agent,
    isCurrent: row.id === currentId,
  }
}
