// Erases accounts again that a restored backup has brought back.
import type { Db } from '#server/db/database.ts'
import { eraseAccount } from './erase.ts'

interface Erasure {
  readonly userId: string
  readonly atMs: number
}

/**
 * Repeats erasures on a database that no server uses. Accounts that do not exist are skipped.
 * @returns how many were erased, and the ids of accounts that cannot be, because each is the only admin
 */
export async function repeatErasures(db: Db, erasures: readonly Erasure[]): Promise<{ erased: number; kept: string[] }> {
  let erased = 0
  const kept: string[] = []
  for (const { userId, atMs } of erasures) {
    const outcome = await db.transaction().execute((transaction) => eraseAccount(transaction, userId, { at: new Date(atMs), address: '' }))
    if (outcome === 'last-admin') kept.push(userId)
    else if (outcome !== 'gone') erased += 1
  }
  return { erased, kept }
}
