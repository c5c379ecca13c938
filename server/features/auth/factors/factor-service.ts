// Use cases of second factors: state, set up, remove, new recovery codes, reset by an admin.
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { rateLimits, rejectWait, type RateLimiter } from '#server/http/rate-limiter.ts'
import { requireRecentPassword, type Caller, type CurrentSession, type RequestActor } from '#server/http/session.ts'
import type { MailService, SendMail } from '#server/mail/mail-service.ts'
import { mailTime } from '#server/mail/mailer.ts'
import { factorMailText } from '#shared/factors/text/en.ts'
import type { AuditAction } from '#shared/audit/audit-actions.ts'
import { normaliseEmail } from '#shared/auth/rules.ts'
import type { FactorState } from '#shared/factors/contract.ts'
import { readCode } from '#shared/factors/rules.ts'
import { AppError } from '#shared/http/app-error.ts'
import { retention } from '#shared/privacy/retention.ts'
import { notifyOwner } from '../email-service.ts'
import { renewSession } from '../renew-session.ts'
import { AuthRepository, type Account } from '../repository.ts'
import { noSuchUser, rejectField } from '../rules.ts'
import { FactorRepository } from './factor-repository.ts'
import {
  findTotpStep,
  newRecoveryCodes,
  newTotpSecret,
  openTotpSecret,
  totpContext,
  totpUri,
  type FactorName,
  type VerifyCodeDeps,
} from './verify-code.ts'

interface FactorDeps extends VerifyCodeDeps {
  readonly db: Db
  readonly rateLimiter: RateLimiter
  readonly presence: Presence
  readonly now: () => number
  readonly mails: MailService
  readonly brandName: string
  /** True if admins must have a second factor. */
  readonly needsAdminFactor: boolean
}

interface FactorChange {
  readonly factors: FactorRepository
  readonly account: Account
  readonly at: Date
  readonly transaction: Db
  readonly send: SendMail
}

/** Recovery codes if there were none, and the session's new cookie. */
export type AddedFactor = { readonly recoveryCodes: string[]; readonly cookie: string }

/** Each change locks the account, is one transaction, and adds a row to the audit log. */
export class FactorService {
  readonly #deps: FactorDeps

  constructor(deps: FactorDeps) {
    this.#deps = deps
  }

  /** Stores a factor with `store`. With the first one of the account its other sessions end. */
  async add(
    current: CurrentSession,
    caller: Caller,
    factor: FactorName,
    store: (change: FactorChange) => Promise<void>,
  ): Promise<AddedFactor> {
    const { ended, added } = await this.#change(current, async (change) => {
      const { factors, account, at, transaction, send } = change
      await store(change)
      const isFirst = account.second_factor_since === null
      if (isFirst) await factors.setSince(account.id, at)
      const ended = isFirst ? await new AuthRepository(transaction).endSessionsOf(account.id, current.id, at, 'second factor added') : []
      await log(change, 'second-factor-added', caller, { factor, sessionsEnded: ended.length })
      const cookie = await renewSession(transaction, current.id, { at, hasPassword: false })
      const recoveryCodes = (await factors.countCodes(account.id)) > 0 ? [] : await replaceRecoveryCodes(change)
      await notifyOwner(send, account, (name) => factorMailText.added({ ...this.#factsOf(at, caller), name, factor }))
      return { ended, added: { recoveryCodes, cookie } }
    })
    await this.#leaveSessions(ended)
    return added
  }

  /**
   * Removes a factor with `drop`, which returns false if there is none. With the last one, recovery codes end as well.
   * @throws AppError not-found, conflict (an admin's last required factor)
   */
  async remove(
    current: CurrentSession,
    caller: Caller,
    factor: FactorName,
    drop: (change: FactorChange) => Promise<boolean>,
  ): Promise<void> {
    await this.#change(current, async (change) => {
      const { factors, account, send } = change
      if (!(await drop(change))) throw new AppError('not-found', 'factors.none')
      const isLast = (await factors.findTotp(account.id, false)) === undefined && (await factors.countPasskeys(account.id)) === 0
      if (isLast && this.#deps.needsAdminFactor && current.user.role === 'admin') throw new AppError('conflict', 'factors.alreadyRequired')
      if (isLast) await factors.deleteAll(account.id)
      await log(change, 'second-factor-removed', caller, { factor })
      await notifyOwner(send, account, (name) => factorMailText.removed({ brand: this.#deps.brandName, name, factor, by: 'owner' }))
    })
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

  /** Activates the app with its first code. @throws AppError invalid (wrong code, or the setup expired), too-many, unavailable */
  async confirmTotp(current: CurrentSession, form: { code: string }, caller: Caller): Promise<AddedFactor> {
    const { rateLimiter, now } = this.#deps
    const code = readCode(form.code)
    if (code?.kind !== 'totp') return rejectField('code', 'factors.codeShape')
    const bucket = `factor-setup:${current.user._id}`
    rejectWait(await rateLimiter.hit(bucket, rateLimits.confirmUser), 'factors.tooManyCodes')
    const added = await this.add(current, caller, 'authenticator app', async ({ factors, account, at }) => {
      const pending = await factors.findTotp(account.id, true)
      if (pending === undefined || now() - pending.created_at.getTime() > retention.factorSetupMs) rejectField('code', 'factors.setupEnded')
      const step = findTotpStep(openTotpSecret(pending.secret, account.id, this.#deps), code.code, now())
      if (step === undefined) rejectField('code', 'factors.codeWrong')
      await factors.activateTotp(account.id, step, at)
    })
    await rateLimiter.giveBack(bucket)
    return added
  }

  /** Removes the app; the password was checked. @throws AppError not-found, conflict (an admin's last required factor) */
  removeTotp(current: CurrentSession, caller: Caller): Promise<void> {
    return this.remove(current, caller, 'authenticator app', ({ factors, account }) => factors.deleteTotp(account.id))
  }

  /** Ten new recovery codes replace the old ones. @throws AppError forbidden (old password check), not-found (no factor) */
  async newRecoveryCodes(current: CurrentSession, caller: Caller): Promise<string[]> {
    requireRecentPassword(current, this.#deps.now())
    return this.#change(current, async (change) => {
      const { account, at, send } = change
      if (account.second_factor_since === null) throw new AppError('not-found', 'factors.none')
      const codes = await replaceRecoveryCodes(change)
      await log(change, 'recovery-codes-made', caller, {})
      await notifyOwner(send, account, (name) => factorMailText.codesMade({ ...this.#factsOf(at, caller), name }))
      return codes
    })
  }

  /**
   * An admin removes all factors of another account; its sessions end.
   * @throws AppError forbidden (old password check), conflict (own account), not-found (no such user or factor), too-many
   */
  async reset(actor: RequestActor, form: { email: string }): Promise<void> {
    const { mails, rateLimiter, now, brandName: brand } = this.#deps
    requireRecentPassword(actor, now())
    rejectWait(await rateLimiter.hit(`factor-reset:${actor.id}`, rateLimits.factorReset), 'factors.tooManyCodes')
    const ended = await mails.transaction(async (transaction, send) => {
      const { account, ended } = await resetFactors(transaction, form.email, new Date(now()), { actor, address: actor.address })
      await notifyOwner(send, account, (name) => factorMailText.removed({ brand, name, factor: 'two-factor sign-in', by: 'admin' }))
      return ended
    })
    await this.#leaveSessions(ended)
  }

  /** Runs a change of the caller's own factors. */
  #change<T>(current: CurrentSession, work: (change: FactorChange) => Promise<T>): Promise<T> {
    return this.#deps.mails.transaction(async (transaction, send) => {
      const account = await new AuthRepository(transaction).lockById(current.user._id)
      if (account === undefined) throw new AppError('not-found', 'admin.noSuchUser')
      return work({ factors: new FactorRepository(transaction), account, at: new Date(this.#deps.now()), transaction, send })
    })
  }

  #factsOf(at: Date, { address }: Caller) {
    return { brand: this.#deps.brandName, at: mailTime(at.getTime()), address }
  }

  async #leaveSessions(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map((id) => this.#deps.presence.leaveSession(id).catch(this.#deps.onError)))
  }
}

async function log({ transaction, account, at }: FactorChange, action: AuditAction, { address }: Caller, details: object): Promise<void> {
  const target = { id: account.id, name: account.email }
  await writeAudit(transaction, { at, actor: account, action, target, address, details: { ...details } })
}

async function replaceRecoveryCodes({ factors, account, at }: FactorChange): Promise<string[]> {
  const codes = newRecoveryCodes()
  await factors.replaceCodes(account.id, codes.hashes, at)
  return codes.shown
}

/**
 * Removes all factors of the account of an email, ends its sessions and closes its links; pass a transaction.
 * @throws AppError not-found, conflict (the account is the actor's)
 */
export async function resetFactors(
  transaction: Db,
  email: string,
  at: Date,
  by: { readonly actor: { readonly id: string | null; readonly email: string }; readonly address: string },
): Promise<{ account: Account; ended: string[] }> {
  const accounts = new AuthRepository(transaction)
  const account = await accounts.lockByEmail(normaliseEmail(email))
  if (account === undefined) throw noSuchUser()
  if (account.id === by.actor.id) throw new AppError('conflict', 'factors.ownReset')
  if (account.second_factor_since === null) throw new AppError('not-found', 'factors.none')
  await new FactorRepository(transaction).deleteAll(account.id)
  await accounts.closeLinksOf(account.id, at)
  const access = { reason: 'second factor reset', isByMail: false }
  const { sessions: ended, counts: details } = await accounts.endAllAccessOf(account.id, at, access)
  const target = { id: account.id, name: account.email }
  await writeAudit(transaction, { ...by, at, action: 'second-factor-reset', target, details })
  return { account, ended }
}
