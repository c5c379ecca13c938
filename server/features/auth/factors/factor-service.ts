// Use cases of second factors: state, set up, remove, new recovery codes, reset by an admin.
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import type { AuditAction } from '#shared/audit/audit-actions.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { rateLimits, type RateLimit, type RateLimiter } from '#server/http/rate-limiter.ts'
import type { BackgroundMails } from '#server/mail/background-mails.ts'
import { normaliseEmail } from '#shared/auth/rules.ts'
import type { FactorState } from '#shared/factors/contract.ts'
import { readCode } from '#shared/factors/rules.ts'
import { AppError } from '#shared/http/app-error.ts'
import { retention } from '#shared/privacy/retention.ts'
import { PasswordRepository } from '../password-repository.ts'
import { rejectField } from '../rules.ts'
import { renewSession } from '../renew-session.ts'
import { requireRecentPassword, type Caller, type CurrentSession } from '#server/http/session.ts'
import { factorMails } from './factor-mails.ts'
import { FactorRepository } from './factor-repository.ts'
import { newRecoveryCodes } from './recovery-code.ts'
import { findStep, newTotpSecret, totpUri } from './totp.ts'
import { openSecret, totpContext, type FactorName, type VerifyDeps } from './verify-code.ts'

export interface FactorDeps extends VerifyDeps {
  readonly db: Db
  readonly rateLimiter: RateLimiter
  readonly presence: Presence
  readonly now: () => number
  readonly mails: BackgroundMails
  readonly brandName: string
  /** True if admins must have a second factor. */
  readonly needsAdminFactor: boolean
}

type Account = NonNullable<Awaited<ReturnType<FactorRepository['lockAccount']>>>

interface Scope {
  readonly factors: FactorRepository
  readonly account: Account
  readonly at: Date
  readonly transaction: Db
}

/** Recovery codes if there were none, and the session's new cookie. */
export type AddedFactor = { readonly recoveryCodes: string[]; readonly cookie: string }

/** Each change locks the account, is one transaction, and adds a row to the audit log. */
export class FactorService {
  readonly #deps: FactorDeps
  readonly #notify: ReturnType<typeof factorMails>
  constructor(deps: FactorDeps) {
    this.#deps = deps
    this.#notify = factorMails(deps)
  }

  /** Stores a factor with `store`. */
  async add(current: CurrentSession, caller: Caller, factor: FactorName, store: (scope: Scope) => Promise<void>): Promise<AddedFactor> {
    const { account, ended, added } = await this.#change(current, async (scope) => {
      await store(scope)
      const ids = await this.#addFactor(scope, current, caller, factor)
      const cookie = await renewSession(scope.transaction, current.id, { at: scope.at, hasPassword: false })
      return { account: scope.account, ended: ids, added: { recoveryCodes: await this.#firstCodes(scope), cookie } }
    })
    this.#notify.added(account, factor, caller.address)
    await Promise.all(ended.map((id) => this.#deps.presence.leaveSession(id).catch(this.#deps.onError)))
    return added
  }

  /** Removes a factor with `drop`, which returns false if there is none. */
  async remove(current: CurrentSession, caller: Caller, factor: FactorName, drop: (scope: Scope) => Promise<boolean>): Promise<void> {
    const account = await this.#change(current, async (scope) => {
      if (!(await drop(scope))) throw new AppError('not-found', 'factors.none')
      await this.#removeFactor(scope, current, caller, factor)
      return scope.account
    })
    this.#notify.removed(account, factor, 'owner')
  }

  /** The factors of the account. */
  async stateOf(current: CurrentSession): Promise<Omit<FactorState, 'passkeys' | 'hasPasskeys'>> {
    const factors = new FactorRepository(this.#deps.db)
    const userId = current.user._id
    const [totp, recoveryCodesLeft] = await Promise.all([factors.findTotp(userId, false), factors.countCodes(userId)])
    return {
      isRequired: this.#deps.needsAdminFactor && current.user.role === 'admin',
      totpSince: totp?.created_at.toISOString() ?? null,
      recoveryCodesLeft,
    }
  }

  /** Starts the setup of an app; the previous one works until the first code. @throws AppError forbidden (old password check) */
  async startTotp(current: CurrentSession): Promise<{ secret: string; uri: string }> {
    requireRecentPassword(current, this.#deps.now())
    const secret = newTotpSecret()
    await this.#change(current, async ({ factors, account, at }) => {
      await factors.putPendingTotp(account.id, this.#deps.box.seal(secret, totpContext(account.id)), at)
    })
    return { secret, uri: totpUri(secret, this.#deps.brandName, current.user.email) }
  }

  /**
   * Activates the app with its first code. With the first factor of the account its other sessions end.
   * @throws AppError invalid (wrong code, or the setup expired), too-many, unavailable
   */
  async confirmTotp(current: CurrentSession, form: { code: string }, caller: Caller): Promise<AddedFactor> {
    const code = readCode(form.code)
    if (code?.kind !== 'totp') return rejectField('code', 'factors.codeShape')
    await this.#count(`factor-setup:${current.user._id}`, rateLimits.confirmUser)
    const added = await this.add(current, caller, 'authenticator app', async ({ factors, account, at }) => {
      const pending = await factors.findTotp(account.id, true)
      if (pending === undefined || this.#deps.now() - pending.created_at.getTime() > retention.factorSetupMs)
        rejectField('code', 'factors.setupEnded')
      const step = findStep(openSecret(pending.secret, account.id, this.#deps), code.code, this.#deps.now())
      if (step === undefined) rejectField('code', 'factors.codeWrong')
      await factors.activateTotp(account.id, step, at)
    })
    await this.#deps.rateLimiter.giveBack(`factor-setup:${current.user._id}`)
    return added
  }

  /** Removes the app; the password was checked. @throws AppError not-found, conflict (an admin's last required factor) */
  removeTotp(current: CurrentSession, caller: Caller): Promise<void> {
    return this.remove(current, caller, 'authenticator app', ({ factors, account }) => factors.deleteTotp(account.id))
  }

  /** Ten new recovery codes replace the old ones. @throws AppError forbidden (old password check), not-found (no factor) */
  async newRecoveryCodes(current: CurrentSession, caller: Caller): Promise<string[]> {
    requireRecentPassword(current, this.#deps.now())
    const made = await this.#change(current, async ({ factors, account, at, transaction }) => {
      if (account.second_factor_since === null) throw new AppError('not-found', 'factors.none')
      const codes = newRecoveryCodes()
      await factors.replaceCodes(account.id, codes.hashes, at)
      await this.#log(transaction, { at, actor: account, action: 'recovery-codes-made', account, caller, details: {} })
      return { account, shown: codes.shown }
    })
    this.#notify.codesMade(made.account, caller.address)
    return made.shown
  }

  /**
   * An admin removes all factors of another account; its sessions end.
   * @throws AppError forbidden (old password check), conflict (own account), not-found (no such user or factor), too-many
   */
  async reset(current: CurrentSession, form: { email: string }, caller: Caller): Promise<void> {
    requireRecentPassword(current, this.#deps.now())
    await this.#count(`factor-reset:${current.user._id}`, rateLimits.factorReset)
    const actor = { id: current.user._id, email: current.user.email }
    const { account, ended } = await this.#deps.db.transaction().execute((transaction) =>
      resetFactors(transaction, form.email, new Date(this.#deps.now()), (found) => {
        if (found.id === actor.id) throw new AppError('conflict', 'factors.ownReset')
        return { actor, address: caller.address }
      }),
    )
    this.#notify.removed(account, 'two-factor sign-in', 'admin')
    await Promise.all(ended.map((id) => this.#deps.presence.leaveSession(id).catch(this.#deps.onError)))
  }

  async #count(bucket: string, limit: RateLimit): Promise<void> {
    const wait = await this.#deps.rateLimiter.hit(bucket, limit)
    if (wait !== undefined) throw new AppError('too-many', 'factors.tooManyCodes', { retryAfterSeconds: wait })
  }

  /** Runs a change of the caller's own factors. */
  #change<T>(current: CurrentSession, work: (scope: Scope) => Promise<T>): Promise<T> {
    return this.#deps.db.transaction().execute(async (transaction) => {
      const factors = new FactorRepository(transaction)
      const account = await factors.lockAccount(current.user._id)
      if (account === undefined) throw new AppError('not-found', 'admin.noSuchUser')
      return work({ factors, account, at: new Date(this.#deps.now()), transaction })
    })
  }

  async #log(
    transaction: Db,
    entry: { at: Date; actor: { id: string; email: string }; action: AuditAction; account: Account; caller: Caller; details: object },
  ): Promise<void> {
    const { at, actor, action, account, caller, details } = entry
    const target = { id: account.id, name: account.email }
    await writeAudit(transaction, { at, actor, action, target, address: caller.address, details: { ...details } })
  }

  async #firstCodes({ factors, account, at }: Scope): Promise<string[]> {
    if ((await factors.countCodes(account.id)) > 0) return []
    const codes = newRecoveryCodes()
    await factors.replaceCodes(account.id, codes.hashes, at)
    return codes.shown
  }

  /** Common effects of every new factor. Returns the sessions that ended. */
  async #addFactor(scope: Scope, current: CurrentSession, caller: Caller, factor: FactorName): Promise<string[]> {
    const { factors, account, at, transaction } = scope
    const isFirst = account.second_factor_since === null
    if (isFirst) await factors.setSince(account.id, at)
    const ended = isFirst ? await new PasswordRepository(transaction).endSessionsOf(account.id, current.id, at, 'second factor added') : []
    await this.#log(transaction, {
      at,
      actor: account,
      action: 'second-factor-added',
      account,
      caller,
      details: { factor, sessionsEnded: ended.length },
    })
    return ended
  }

  /** Common effects of every removed factor: with the last one, recovery codes end as well. */
  async #removeFactor(scope: Scope, current: CurrentSession, caller: Caller, factor: FactorName): Promise<void> {
    const { factors, account, at, transaction } = scope
    const isLast = (await factors.findTotp(account.id, false)) === undefined && (await factors.countPasskeys(account.id)) === 0
    if (isLast) {
      if (this.#deps.needsAdminFactor && current.user.role === 'admin') throw new AppError('conflict', 'factors.alreadyRequired')
      await factors.deleteAll(account.id)
    }
    await this.#log(transaction, { at, actor: account, action: 'second-factor-removed', account, caller, details: { factor } })
  }
}

/**
 * Removes all factors of the account of an email, ends its sessions and closes its links; pass a transaction. `by` returns the actor or
 * throws. @throws AppError not-found
 */
export async function resetFactors(
  transaction: Db,
  email: string,
  at: Date,
  by: (account: Account) => { actor: { id: string | null; email: string }; address: string },
): Promise<{ account: Account; ended: string[] }> {
  const factors = new FactorRepository(transaction)
  const id = await factors.findIdByEmail(normaliseEmail(email))
  const account = id === undefined ? undefined : await factors.lockAccount(id)
  if (account === undefined) throw new AppError('not-found', 'admin.noSuchUser', { fields: { email: 'admin.noSuchUser' } })
  const { actor, address } = by(account)
  if (account.second_factor_since === null) throw new AppError('not-found', 'factors.none')
  await factors.deleteAll(account.id)
  const passwords = new PasswordRepository(transaction)
  await passwords.closeLinksOf(account.id, at)
  const { sessions: ended, counts: details } = await passwords.endAllAccessOf(account.id, at, {
    reason: 'second factor reset',
    isByMail: false,
  })
  const target = { id: account.id, name: account.email }
  await writeAudit(transaction, { at, actor, action: 'second-factor-reset', target, address, details })
  return { account, ended }
}
