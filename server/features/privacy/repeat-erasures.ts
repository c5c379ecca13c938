// Erases accounts again that a restored backup has brought back.
import type { Db } from '#server/db/database.ts'
import { OutageError } from '#server/outages/outage.ts'
import { eraseAccount } from './erase.ts'

interface Erasure {
  readonly userId: string
  readonly atMs: number
}

/**
 * Repeats erasures on a database that no server uses. Accounts that do not exist are skipped.
 * @returns how many were erased, and the accounts that cannot be, with the reason
 */
export async function repeatErasures(db: Db, erasures: readonly Erasure[]): Promise<{ erased: number; kept: Map<string, string> }> {
  let erased = 0
  const kept = new Map<string, string>()
  for (const { userId, atMs } of erasures) {
    try {
      const outcome = await db
        .transaction()
        .execute((transaction) => eraseAccount(transaction, userId, { at: new Date(atMs), address: '' }))
      if (outcome === 'last-admin') kept.set(userId, 'it is the only admin; erase it when there is another one')
      else if (outcome !== 'gone') erased += 1
    } catch (error) {
      if (error instanceof OutageError) throw error
      kept.set(userId, `it could not be erased: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { erased, kept }
}
