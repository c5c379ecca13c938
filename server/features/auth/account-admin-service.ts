// What an admin does to other accounts: changes a role, or frees an address that an unconfirmed account holds.
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import { eraseAccount } from '#server/features/privacy/erase-account.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { rateLimits, rejectWait, type RateLimiter } from '#server/http/rate-limiter.ts'
import { requireRecentPassword, type RequestActor } from '#server/http/session.ts'
import { normaliseEmail } from '#shared/auth/rules.ts'
import { AppError } from '#shared/http/app-error.ts'
import type { Role } from '#shared/users/user.ts'
import { AuthRepository } from './repository.ts'
import { noSuchUser } from './rules.ts'
import { UnprovenAccounts } from './unproven-accounts.ts'

interface AccountAdminDeps {
  readonly db: Db
  readonly rateLimiter: RateLimiter
  readonly presence: Presence
  readonly now: () => number
  /** Handles errors that must not undo completed work. */
  readonly onError: (error: unknown) => void
}

export type AccountAdminService = ReturnType<typeof accountAdminService>

export function accountAdminService({ db, rateLimiter, presence, now, onError }: AccountAdminDeps) {
  /** Runs a change that returns the ids of the sessions that ended; a tab that presence failed to remove expires. */
  async function endingSessions(change: (transaction: Db, at: Date) => Promise<readonly string[]>): Promise<void> {
    const ended = await db.transaction().execute((transaction) => change(transaction, new Date(now())))
    await Promise.all(ended.map((id) => presence.leaveSession(id).catch(onError)))
  }

  return {
    /**
     * Changes the role and ends all sessions of the account; a new admin has to choose a password of an admin's length.
     * The same role again changes nothing. Admins cannot change their own role, and the caller is still an admin when it is
     * committed, so one admin always stays.
     * @throws AppError forbidden (old password check, or no longer an admin), conflict (own role), not-found, too-many
     */
    async changeRole(actor: RequestActor, form: { id: string; role: Role }): Promise<void> {
      requireRecentPassword(actor, now())
      rejectWait(await rateLimiter.hit(`role:${actor.id}`, rateLimits.roleChange))
      if (form.id === actor.id) throw new AppError('conflict', 'roles.ownRole')
      await endingSessions((transaction, at) => changeLockedRole(transaction, actor, form, at))
    },

    /**
     * Erases the unconfirmed account of an address, so that its owner can sign up; logged. The way where mail is off.
     * @throws AppError forbidden (old password check), not-found, conflict (confirmed, an admin, or with payments or an open request), too-many
     */
    async freeAddress(actor: RequestActor, form: { email: string }): Promise<void> {
      requireRecentPassword(actor, now())
      rejectWait(await rateLimiter.hit(`free-address:${actor.id}`, rateLimits.passwordReset))
      await endingSessions(async (transaction, at) => {
        const account = await new AuthRepository(transaction).lockByEmail(normaliseEmail(form.email))
        if (account === undefined) throw noSuchUser()
        if (!(await new UnprovenAccounts(transaction).isErasable(account.id))) throw new AppError('conflict', 'admin.addressKept')
        const sessions = await eraseAccount(transaction, account.id, { at, address: '' })
        // The database writes the pseudonym: the address is personal data of an erased account.
        await writeAudit(transaction, {
          at,
          actor,
          action: 'address-freed',
          target: { id: account.id, name: account.email },
          address: actor.address,
        })
        return typeof sessions === 'string' ? [] : sessions
      })
    },
  }
}

/** Returns the ids of the sessions that ended. */
async function changeLockedRole(transaction: Db, actor: RequestActor, form: { id: string; role: Role }, at: Date): Promise<string[]> {
  // Both accounts in one order: of two admins who remove each other, the second waits and is no longer an admin.
  const locked = await transaction
    .selectFrom('users')
    .select(['id', 'email', 'role'])
    .where('id', 'in', [actor.id, form.id])
    .orderBy('id')
    .forUpdate()
    .execute()
  if (locked.find(({ id }) => id === actor.id)?.role !== 'admin') throw new AppError('forbidden', 'http.forbidden')
  const account = locked.find(({ id }) => id === form.id)
  if (account === undefined) throw new AppError('not-found', 'admin.noSuchUser')
  if (account.role === form.role) return []
  const isPromoted = form.role === 'admin'
  await transaction
    .updateTable('users')
    .set({ role: form.role, ...(isPromoted ? { password_is_temporary: true } : {}) })
    .where('id', '=', account.id)
    .execute()
  const accounts = new AuthRepository(transaction)
  await accounts.closeLinksOf(account.id, at)
  const sessions = await accounts.endSessionsOf(account.id, undefined, at, 'role changed')
  await writeAudit(transaction, {
    at,
    actor,
    action: 'role-changed',
    target: { id: account.id, name: account.email },
    address: actor.address,
    details: { before: { role: account.role }, after: { role: form.role }, sessionsEnded: sessions.length },
  })
  return sessions
}
