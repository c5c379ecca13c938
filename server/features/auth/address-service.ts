// Use case of addresses: an admin frees one that an unconfirmed account holds.
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import { eraseAccount } from '#server/features/privacy/erase-account.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { rateLimits, type RateLimiter } from '#server/http/rate-limiter.ts'
import type { Caller, CurrentSession } from '#server/http/request-actor.ts'
import { requireRecentPassword } from '#server/http/require-recent-password.ts'
import { normaliseEmail } from '#shared/auth/rules.ts'
import { AppError } from '#shared/http/app-error.ts'
import { PasswordRepository } from './password-repository.ts'
import { isFree } from './unproven-accounts.ts'

interface AddressServiceDeps {
  readonly db: Db
  readonly rateLimiter: RateLimiter
  readonly presence: Presence
  readonly now: () => number
  /** Handles errors that must not undo completed work. */
  readonly onError: (error: unknown) => void
}

export type AddressService = ReturnType<typeof addressService>

export function addressService({ db, rateLimiter, presence, now, onError }: AddressServiceDeps) {
  return {
    /**
     * Erases the unconfirmed account of an address, so that its owner can sign up; logged. The way where mail is off.
     * @throws AppError forbidden (old password check), not-found, conflict (confirmed, an admin, or with payments or an open request), too-many
     */
    async free(current: CurrentSession, form: { email: string }, caller: Caller): Promise<void> {
      requireRecentPassword(current, now())
      const wait = await rateLimiter.hit(`free-address:${current.user._id}`, rateLimits.passwordReset)
      if (wait !== undefined) throw new AppError('too-many', 'http.tooMany', { retryAfterSeconds: wait })
      const at = new Date(now())
      const { address } = caller
      const ended = await db.transaction().execute(async (transaction) => {
        const account = await new PasswordRepository(transaction).lockByEmail(normaliseEmail(form.email))
        if (account === undefined) throw new AppError('not-found', 'admin.noSuchUser', { fields: { email: 'admin.noSuchUser' } })
        if (!(await isFree(transaction, account.id))) throw new AppError('conflict', 'admin.addressKept')
        const sessions = await eraseAccount(transaction, account.id, { at, address: '' })
        const actor = { id: current.user._id, email: current.user.email }
        // The database writes the pseudonym: the address is personal data of an erased account.
        await writeAudit(transaction, { at, actor, action: 'address-freed', target: { id: account.id, name: account.email }, address })
        return typeof sessions === 'string' ? [] : sessions
      })
      await Promise.all(ended.map((id) => presence.leaveSession(id).catch(onError)))
    },
  }
}
