// Writes an audit entry when the configured market data licences change.
import type { Db } from '#server/db/database.ts'
import { writeAuditOnChange } from '#server/features/audit/service.ts'
import type { Licences } from './licences.ts'

/** Logs the licences of a start if they differ from those of the previous one. */
export async function noteLicences(db: Db, licences: Licences, at: Date): Promise<void> {
  const details = Object.fromEntries(
    [...licences].map(([holder, { mode, reference, delayMinutes }]) => [holder, { mode, reference, delayMinutes }]),
  )
  await writeAuditOnChange(db, {
    at,
    actor: { id: null, email: 'configuration' },
    action: 'market-licences',
    target: { id: null, name: 'market data' },
    address: '',
    details: { licences: details },
  })
}
