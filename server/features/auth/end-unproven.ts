// Ends accounts that nobody has confirmed in a week.
import type { Db } from '#server/db/database.ts'
import { eraseAccount } from '#server/features/privacy/service.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { retention } from '#shared/privacy/retention.ts'
import { PasswordRepository } from './password-repository.ts'
import { endingAccounts, isUnproven } from './unproven-accounts.ts'

/** Maximum accounts erased per run; the next run continues. */
const erasedMax = 100

/** For servers with mail: elsewhere nobody can confirm an address. */
export async function endUnproven({ db, presence, now }: { db: Db; presence: Presence; now: () => number }): Promise<void> {
  const at = new Date(now())
  const before = new Date(now() - retention.unconfirmedMs)
  for (const { id } of await endingAccounts(db).where('created_at', '<', before).limit(erasedMax).execute()) {
    const ended = await db.transaction().execute(async (transaction) => {
      await new PasswordRepository(transaction).lockById(id)
      // Confirmed or paid for since the list was read.
      return (await isUnproven(transaction, id)) ? eraseAccount(transaction, id, { at, address: '' }) : []
    })
    if (typeof ended !== 'string') for (const sessionId of ended) await presence.leaveSession(sessionId)
  }
}
