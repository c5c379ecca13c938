// The use cases of second factors: what an account has, set up, remove, new recovery codes, reset by an admin.
import type { Db } from '#server/db/database.ts'
import { writeAudit, type AuditAction } from '#server/features/audit/audit.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { limits as numbers, type Limit, type Limits } from '#server/http/limits.ts'
import type { BackgroundMails } from '#server/mail/background-mails.ts'
import { normaliseEmail } from '#shared/auth/rules.ts'
import type { FactorState } from '#shared/factors/contract.ts'
import { readCode } from '#shared/factors/rules.ts'
import { AppError } from '#shared/http/errors.ts'
import { factorSetupMs } from '#shared/privacy/retention.ts'
import { adminText } from '#shared/text/en/admin.ts'
import { factorsText as text } from '#shared/text/en/factors.ts'
import { passwordRepository } from '../password-repository.ts'
import { refuseField } from '../password-rules.ts'
import type { Caller, CurrentSession } from '../service.ts'
import { wantRecentPassword } from '../step-up.ts'
import { factorMails } from './factor-mails.ts'
import { factorRepository } from './factor-repository.ts'
import { newRecoveryCodes } from './recovery-code.ts'
import { findStep, newTotpSecret, totpUri } from './totp.ts'
import { openSecret, totpContext, type FactorName, type VerifyDeps } from './verify-code.ts'

export interface FactorDeps extends VerifyDeps {
  readonly db: Db
  readonly limits: Limits
  readonly presence: Presence
  readonly now: () => number
  readonly mails: BackgroundMails
  readonly brandName: string
  /** True where admins may not be without a second factor. */
  readonly needsAdminFactor: boolean
}

type Factors = ReturnType<typeof factorRepository>
type Account = NonNullable<Awaited<ReturnType<Factors['lockAccount']>>>

interface Scope {
  readonly factors: Factors
  readonly account: Account
  readonly at: Date
  readonly transaction: Db
}

/** How other kinds of factors come and go. */
export interface OwnFactors {
  /** Stores a factor by `store`; answers recovery codes where there are none. */
  add(current: CurrentSession, caller: Caller, factor: FactorName, store: (scope: Scope) => Promise<void>): Promise<string[]>
  /** Removes a factor by `drop`, which is false where there is none. */
  remove(current: CurrentSession, caller: Caller, factor: FactorName, drop: (scope: Scope) => Promise<boolean>): Promise<void>
}

/** Each change locks the account, is one transaction, and is a row of the audit log. */
export function factorService(deps: FactorDeps) {
  const { db, limits, presence, now, needsAdminFactor, box, onError } = deps
  const tell = factorMails(deps)

  async function count(bucket: string, limit: Limit): Promise<void> {
    const wait = await limits.hit(bucket, limit)
    if (wait !== undefined) throw new AppError('too-many', text.tooManyCodes, { code: 'auth.too-many', retryAfterSeconds: wait })
  }

  /** Runs a change of the caller's own factors. */
  function change<T>(current: CurrentSession, work: (scope: Scope) => Promise<T>): Promise<T> {
    return db.transaction().execute(async (transaction) => {
      const factors = factorRepository(transaction)
      const account = await factors.lockAccount(current.user._id)
      if (account === undefined) throw new AppError('not-found', adminText.noSuchUser)
      return work({ factors, account, at: new Date(now()), transaction })
    })
  }

  async function log(
    transaction: Db,
    entry: { at: Date; actor: { id: string; email: string }; action: AuditAction; account: Account; caller: Caller; details: object },
  ): Promise<void> {
    const { at, actor, action, account, caller, details } = entry
    const target = { id: account.id, name: account.email }
    await writeAudit(transaction, { at, actor, action, target, address: caller.address, details: { ...details } })
  }

  /** Makes recovery codes for an account that has none left. */
  async function firstCodes(factors: Factors, userId: string, at: Date): Promise<string[]> {
    if ((await factors.countCodes(userId)) > 0) return []
    const codes = newRecoveryCodes()
    await factors.replaceCodes(userId, codes.hashes, at)
    return codes.shown
  }

  const own: OwnFactors = {
    async add(current, caller, factor, store) {
      const { account, ended, shown } = await change(current, async (scope) => {
        await store(scope)
        const ids = await addFactor(scope, current, caller, factor)
        return { account: scope.account, ended: ids, shown: await firstCodes(scope.factors, scope.account.id, scope.at) }
      })
      tell.added(account, factor, caller.address)
      await Promise.all(ended.map((id) => presence.leaveSession(id).catch(onError)))
      return shown
    },
    async remove(current, caller, factor, drop) {
      const account = await change(current, async (scope) => {
        if (!(await drop(scope))) throw new AppError('not-found', text.none)
        await removeFactor(scope, current, caller, factor)
        return scope.account
      })
      tell.removed(account, factor, 'owner')
    },
  }

  return {
    own,

    /** What the account has. */
    async stateOf(current: CurrentSession): Promise<Omit<FactorState, 'passkeys' | 'hasPasskeys'>> {
      const factors = factorRepository(db)
      const userId = current.user._id
      const [totp, recoveryCodesLeft] = await Promise.all([factors.findTotp(userId, false), factors.countCodes(userId)])
      return {
        isRequired: needsAdminFactor && current.user.role === 'admin',
        totpSince: totp?.created_at.toISOString() ?? null,
        recoveryCodesLeft,
      }
    },

    /** Begins to set up an app; the one before goes on working until the first code. @throws AppError forbidden (old password). */
    async startTotp(current: CurrentSession): Promise<{ secret: string; uri: string }> {
      wantRecentPassword(current, now())
      const secret = newTotpSecret()
      await change(current, async ({ factors, account, at }) => {
        await factors.putPendingTotp(account.id, box.seal(secret, totpContext(account.id)), at)
      })
      return { secret, uri: totpUri(secret, deps.brandName, current.user.email) }
    },

    /**
     * Turns the app on with its first code. With the first factor of the account its other sessions end.
     * Answers recovery codes where there are none. @throws AppError invalid (wrong code, or the setup is over), too-many, unavailable.
     */
    async confirmTotp(current: CurrentSession, form: { code: string }, caller: Caller): Promise<string[]> {
      const code = readCode(form.code)
      if (code?.kind !== 'totp') return refuseField('code', text.codeShape)
      await count(`factor-setup:${current.user._id}`, numbers.confirmUser)
      const shown = await own.add(current, caller, 'authenticator app', async ({ factors, account, at }) => {
        const pending = await factors.findTotp(account.id, true)
        if (pending === undefined || now() - pending.created_at.getTime() > factorSetupMs)
          refuseField('code', text.setupEnded, 'auth.setup-ended')
        const step = findStep(openSecret(pending.secret, account.id, deps), code.code, now())
        if (step === undefined) refuseField('code', text.codeWrong, 'auth.code-wrong')
        await factors.activateTotp(account.id, step, at)
      })
      await limits.giveBack(`factor-setup:${current.user._id}`)
      return shown
    },

    /** Removes the app; the password was checked. @throws AppError not-found, conflict (an admin's last factor where one is required). */
    removeTotp: (current: CurrentSession, caller: Caller): Promise<void> =>
      own.remove(current, caller, 'authenticator app', ({ factors, account }) => factors.deleteTotp(account.id)),

    /** Ten new recovery codes in place of the old ones. @throws AppError forbidden (old password), not-found (no factor). */
    async newRecoveryCodes(current: CurrentSession, caller: Caller): Promise<string[]> {
      wantRecentPassword(current, now())
      const made = await change(current, async ({ factors, account, at, transaction }) => {
        if (account.second_factor_since === null) throw new AppError('not-found', text.none)
        const codes = newRecoveryCodes()
        await factors.replaceCodes(account.id, codes.hashes, at)
        await log(transaction, { at, actor: account, action: 'recovery-codes-made', account, caller, details: {} })
        return { account, shown: codes.shown }
      })
      tell.codesMade(made.account, caller.address)
      return made.shown
    },

    /**
     * An admin removes all factors of another account; its sessions end.
     * @throws AppError forbidden (old password), conflict (own account), not-found (no such user, or it has none), too-many.
     */
    async reset(current: CurrentSession, form: { email: string }, caller: Caller): Promise<void> {
      wantRecentPassword(current, now())
      await count(`factor-reset:${current.user._id}`, numbers.factorReset)
      const actor = { id: current.user._id, email: current.user.email }
      const { account, ended } = await db.transaction().execute((transaction) =>
        resetFactors(transaction, form.email, new Date(now()), (found) => {
          if (found.id === actor.id) throw new AppError('conflict', text.ownReset)
          return { actor, address: caller.address }
        }),
      )
      tell.removed(account, 'two-factor sign-in', 'admin')
      await Promise.all(ended.map((id) => presence.leaveSession(id).catch(onError)))
    },
  }

  /** What every new factor brings. Answers the sessions that ended. */
  async function addFactor(scope: Scope, current: CurrentSession, caller: Caller, factor: FactorName): Promise<string[]> {
    const { factors, account, at, transaction } = scope
    const isFirst = account.second_factor_since === null
    if (isFirst) await factors.setSince(account.id, at)
    const ended = isFirst ? await passwordRepository(transaction).endSessionsOf(account.id, current.id, at, 'second factor added') : []
    await log(transaction, {
      at,
      actor: account,
      action: 'second-factor-added',
      account,
      caller,
      details: { factor, sessionsEnded: ended.length },
    })
    return ended
  }

  /** What every removed factor brings: with the last one, recovery codes end as well. */
  async function removeFactor(scope: Scope, current: CurrentSession, caller: Caller, factor: FactorName): Promise<void> {
    const { factors, account, at, transaction } = scope
    const isLast = (await factors.findTotp(account.id, false)) === undefined && (await factors.countPasskeys(account.id)) === 0
    if (isLast) {
      if (needsAdminFactor && current.user.role === 'admin')
        throw new AppError('conflict', text.alreadyRequired, { code: 'auth.second-factor-required' })
      await factors.deleteAll(account.id)
    }
    await log(transaction, { at, actor: account, action: 'second-factor-removed', account, caller, details: { factor } })
  }
}

/**
 * Removes all factors of the account of an email, ends its sessions and closes its links; give it a transaction. `by` says who does it and may
 * throw. @throws AppError not-found.
 */
export async function resetFactors(
  transaction: Db,
  email: string,
  at: Date,
  by: (account: Account) => { actor: { id: string | null; email: string }; address: string },
): Promise<{ account: Account; ended: string[] }> {
  const factors = factorRepository(transaction)
  const id = await factors.findIdByEmail(normaliseEmail(email))
  const account = id === undefined ? undefined : await factors.lockAccount(id)
  if (account === undefined) throw new AppError('not-found', adminText.noSuchUser, { fields: { email: adminText.noSuchUser } })
  const { actor, address } = by(account)
  if (account.second_factor_since === null) throw new AppError('not-found', text.none)
  await factors.deleteAll(account.id)
  const passwords = passwordRepository(transaction)
  await passwords.closeLinksOf(account.id, at)
  const { sessions: ended, counts: details } = await passwords.endAllAccessOf(account.id, at, 'second factor reset')
  const target = { id: account.id, name: account.email }
  await writeAudit(transaction, { at, actor, action: 'second-factor-reset', target, address, details })
  return { account, ended }
}
