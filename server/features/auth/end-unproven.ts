// Ends accounts whose address was not confirmed in a week.
import type { Db } from '#server/db/database.ts'
import { eraseDueAccounts } from '#server/features/privacy/erase-account.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { PasswordRepository } from './password-repository.ts'
import { endedBy, endOf } from './unproven-accounts.ts'

interface EndUnprovenDeps {
  readonly db: Db
  readonly presence: Presence
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

/** For servers with mail: elsewhere no address can be confirmed. @throws Error if accounts could not be erased, at the end */
export function endUnproven(deps: EndUnprovenDeps): Promise<void> {
  const at = new Date(deps.now())
  return eraseDueAccounts({
    ...deps,
    at,
    find: (tried, limit) => endedBy(deps.db, at, tried, limit),
    // Confirmed or paid for since the list was read.
    isStillDue: async (transaction, id) => {
      await new PasswordRepository(transaction).lockById(id)
      const end = await endOf(transaction, id)
      return end !== undefined && end < at
    },
  })
}
