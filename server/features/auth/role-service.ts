// Use case of roles: an admin makes another account an admin or a user.
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { rateLimits, type RateLimiter } from '#server/http/rate-limiter.ts'
import type { Caller, CurrentSession } from '#server/http/request-actor.ts'
import { requireRecentPassword } from '#server/http/require-recent-password.ts'
import { AppError } from '#shared/http/app-error.ts'
import type { Role } from '#shared/users/user.ts'
import { PasswordRepository } from './password-repository.ts'

interface RoleServiceDeps {
  readonly db: Db
  readonly rateLimiter: RateLimiter
  readonly presence: Presence
  readonly now: () => number
  /** Handles errors that must not undo completed work. */
  readonly onError: (error: unknown) => void
}

export type RoleService = ReturnType<typeof roleService>

export function roleService({ db, rateLimiter, presence, now, onError }: RoleServiceDeps) {
  return {
    /**
     * Changes the role and ends all sessions of the account; a new admin has to choose a password of an admin's length.
     * The same role again changes nothing. No admin can change the own role, and the caller is still an admin when it is
     * committed, so one admin always stays.
     * @throws AppError forbidden (old password check, or no admin any more), conflict (own role), not-found, too-many
     */
    async change(current: CurrentSession, order: { id: string; role: Role }, caller: Caller): Promise<void> {
      requireRecentPassword(current, now())
      const wait = await rateLimiter.hit(`role:${current.user._id}`, rateLimits.roleChange)
      if (wait !== undefined) throw new AppError('too-many', 'http.tooMany', { retryAfterSeconds: wait })
      if (order.id === current.user._id) throw new AppError('conflict', 'roles.ownRole')
      const ended = await db.transaction().execute((transaction) => changeLocked(transaction, current, order, caller, new Date(now())))
      // The sessions have ended; a tab that presence failed to remove expires.
      await Promise.all(ended.map((id) => presence.leaveSession(id).catch(onError)))
    },
  }
}

/** Returns the ids of the sessions that ended. */
async function changeLocked(
  transaction: Db,
  current: CurrentSession,
  order: { id: string; role: Role },
  caller: Caller,
  at: Date,
): Promise<string[]> {
  const actor = { id: current.user._id, email: current.user.email }
  // Both accounts in one order: of two admins who remove each other, the second waits and is no admin any more.
  const locked = await transaction
    .selectFrom('users')
    .select(['id', 'email', 'role'])
    .where('id', 'in', [actor.id, order.id])
    .orderBy('id')
    .forUpdate()
    .execute()
  if (locked.find(({ id }) => id === actor.id)?.role !== 'admin') throw new AppError('forbidden', 'http.forbidden')
  const account = locked.find(({ id }) => id === order.id)
  if (account === undefined) throw new AppError('not-found', 'admin.noSuchUser')
  if (account.role === order.role) return []
  const isPromoted = order.role === 'admin'
  await transaction
    .updateTable('users')
    .set({ role: order.role, ...(isPromoted ? { password_is_temporary: true } : {}) })
    .where('id', '=', account.id)
    .execute()
  const passwords = new PasswordRepository(transaction)
  await passwords.closeLinksOf(account.id, at)
  const sessions = await passwords.endSessionsOf(account.id, undefined, at, 'role changed')
  await writeAudit(transaction, {
    at,
    actor,
    action: 'role-changed',
    target: { id: account.id, name: account.email },
    address: caller.address,
    details: { before: { role: account.role }, after: { role: order.role }, sessionsEnded: sessions.length },
  })
  return sessions
}
