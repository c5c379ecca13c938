// Erases the accounts that are due, one after the other.
import type { Db } from '#server/db/database.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { OutageError } from '#server/outages/outage.ts'
import { eraseAccount } from './erase.ts'

/** Accounts read at once, and about the most that one run erases; the next run continues. */
const batchSize = 100

interface EraseDeps {
  readonly db: Db
  readonly presence: Presence
  readonly onError: (error: unknown) => void
}

interface Due {
  readonly at: Date
  /** Ids of accounts that are due, without those that this run has tried. */
  readonly find: (tried: readonly string[], limit: number) => Promise<readonly string[]>
  /** Locks the account. */
  readonly isStillDue: (transaction: Db, id: string) => Promise<boolean>
}

/** Each in its own transaction, so that one with an error does not keep the others. @throws Error at the end if there were such */
export async function eraseEach({ db, presence, onError }: EraseDeps, { at, find, isStillDue }: Due): Promise<void> {
  const tried: string[] = []
  let failed = 0
  async function erase(id: string): Promise<void> {
    tried.push(id)
    const ended = await db
      .transaction()
      .execute(async (transaction) => ((await isStillDue(transaction, id)) ? eraseAccount(transaction, id, { at, address: '' }) : []))
    if (typeof ended !== 'string') await Promise.all(ended.map((sessionId) => presence.leaveSession(sessionId).catch(onError)))
  }
  while (tried.length - failed < batchSize) {
    const ids = await find(tried, batchSize)
    if (ids.length === 0) break
    for (const id of ids) {
      await erase(id).catch((error: unknown) => {
        if (error instanceof OutageError) throw error
        failed += 1
        onError(new Error(`account ${id} could not be erased`, { cause: error }))
      })
    }
  }
  if (failed > 0) throw new Error(`${failed} of ${tried.length} accounts could not be erased`)
}
