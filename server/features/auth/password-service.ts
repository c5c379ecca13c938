// Use cases of passwords: confirm, change, reset by an admin, or by a mailed link.
import { backgroundMails, type BackgroundMails } from '../../mail/background-mails.ts'
import type { Db } from '#server/db/database.ts'
import { writeAudit, type AuditEntry } from '#server/features/audit/service.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { rateLimits, type RateLimit, type RateLimiter } from '#server/http/rate-limiter.ts'
import type { ProofOfWork } from '#server/http/proof-of-work.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { normaliseEmail } from '#shared/auth/rules.ts'
import { AppError, type MessageOf } from '#shared/http/app-error.ts'
import { retention } from '#shared/privacy/retention.ts'
import type { PasswordHasher } from './password-hasher.ts'
import { PasswordLinks } from './password-links.ts'
import { PasswordRepository } from './password-repository.ts'
import { rejectEmpty, rejectField, rejectLength, rejectWeakPassword } from './rules.ts'
import { requireRecentPassword, type Caller, type CurrentSession } from '#server/http/session.ts'
import { renewSession } from './renew-session.ts'
import { hashSecret } from './hash-secret.ts'
import { handOver, isClaimable } from './unproven-accounts.ts'

export interface PasswordServiceOptions {
  readonly db: Db
  readonly rateLimiter: RateLimiter
  readonly presence: Presence
  readonly hasher: PasswordHasher
  readonly proofs: ProofOfWork
  readonly now: () => number
  /** Undefined if mail is disabled. */
  readonly mailer: Mailer | undefined
  /** Origin of links in mails, such as https://tezi.example. */
  readonly linkOrigin: string
  readonly brandName: string
  /** Called after a password was changed. */
  readonly onPasswordChanged?: (userId: string) => void
  /** Handles errors that must not undo completed work. */
  readonly onError: (error: unknown) => void
}

interface PasswordChange {
  readonly account: { readonly id: string; readonly email: string }
  /** The session to keep; undefined ends all. */
  readonly keepId: string | undefined
  readonly entry: Pick<AuditEntry, 'actor' | 'action' | 'address'>
  /** For the log. */
  readonly by: 'its owner' | 'an admin' | 'a link in a mail'
}

/** Passwords. Each change ends sessions, closes open links and is logged in one transaction. */
export class PasswordService {
  readonly #options: PasswordServiceOptions
  readonly #repository: PasswordRepository
  readonly #mails: BackgroundMails
  /** Links in mails. */
  readonly links: PasswordLinks
  readonly #hashing = new Set<string>()

  constructor(options: PasswordServiceOptions) {
    this.#options = options
    this.#repository = new PasswordRepository(options.db)
    this.#mails = backgroundMails(options.mailer, options.onError)
    this.links = new PasswordLinks({ ...options, mails: this.#mails })
  }

  /**
   * Records the caller's password confirmation; returns its hash and the session's new cookie.
   * @throws AppError invalid (empty or wrong), too-many, unauthenticated (session ended meanwhile)
   */
  async confirm(current: CurrentSession, form: { password: string }): Promise<{ readonly hash: string; readonly cookie: string }> {
    rejectEmpty({ password: form.password })
    const { password_hash: hash } = await this.#ownAccount(current, form.password, 'password')
    return { hash, cookie: await renewSession(this.#options.db, current.id, { at: new Date(this.#options.now()), hasPassword: true }) }
  }

  /** Changes the user's own password; the other sessions end. Returns this one's new cookie. @throws AppError invalid, too-many, unauthenticated */
  async change(
    current: CurrentSession,
    form: { currentPassword: string; newPassword: string; confirmPassword: string },
    caller: Caller,
  ): Promise<string> {
    const { currentPassword, newPassword, confirmPassword } = form
    rejectEmpty({ currentPassword, newPassword, confirmPassword })
    if (newPassword !== confirmPassword) rejectField('confirmPassword', 'admin.passwordsDiffer')
    rejectWeakPassword(newPassword, current.user)
    const account = await this.#ownAccount(current, currentPassword, 'currentPassword')
    const hash = await this.#hashAlone(account.id, () => this.#options.hasher.hash(newPassword, account.id))
    const entry = { actor: account, action: 'password-changed', address: caller.address } as const
    const change = { account, keepId: current.id, entry, by: 'its owner' } as const
    return this.#replacePassword(change, async (passwords, at, transaction) => {
      // A concurrent change replaced the password that was given.
      if (!(await passwords.setPassword(account.id, { hash, until: null }, account.password_hash)))
        rejectField('currentPassword', 'admin.passwordWrong')
      return renewSession(transaction, current.id, { at, hasPassword: true })
    })
  }

  /**
   * An admin sets the password of another account. All its sessions end.
   * @throws AppError forbidden (old password check), invalid, not-found, too-many
   */
  async reset(current: CurrentSession, form: { email: string; newPassword: string }, caller: Caller): Promise<void> {
    requireRecentPassword(current, this.#options.now())
    rejectEmpty({ email: form.email, newPassword: form.newPassword })
    rejectLength(form.newPassword)
    await this.#count(`password-reset:${current.user._id}`, rateLimits.passwordReset)
    const account = await this.#repository.findByEmail(normaliseEmail(form.email))
    if (account === undefined) throw noSuchUser()
    if (account.id === current.user._id) rejectField('email', 'admin.passwordOwn')
    rejectWeakPassword(form.newPassword, account)
    const hash = await this.#hashAlone(current.user._id, () => this.#options.hasher.hash(form.newPassword, current.user._id))
    const actor = { id: current.user._id, email: current.user.email }
    const entry = { actor, action: 'password-reset', address: caller.address } as const
    await this.#replacePassword({ account, keepId: undefined, entry, by: 'an admin' }, async (passwords, at) => {
      const until = new Date(at.getTime() + retention.temporaryPasswordMs)
      // Erased while its password was being hashed.
      if (!(await passwords.setPassword(account.id, { hash, until }))) throw noSuchUser()
    })
  }

  /**
   * Sets a new password by a mailed link; all sessions end. Returns the id of its account.
   * @throws AppError invalid (form, or the link is used or expired), too-many
   */
  async useLink(form: { token: string; newPassword: string; confirmPassword: string }, caller: Caller): Promise<string> {
    const { newPassword, confirmPassword } = form
    rejectEmpty({ newPassword, confirmPassword })
    if (newPassword !== confirmPassword) rejectField('confirmPassword', 'admin.passwordsDiffer')
    rejectLength(newPassword)
    const tokenHash = hashSecret(form.token)
    const link = tokenHash === undefined ? undefined : await this.#repository.findLink(tokenHash, new Date(this.#options.now()))
    const account = link === undefined ? undefined : await this.#repository.findById(link.user_id)
    if (tokenHash === undefined || account === undefined) {
      // Only wrong links count, so that others behind the same address can use theirs.
      await this.#count(`link-use:${caller.address}`, rateLimits.linkUseAddress)
      return rejectField('token', 'admin.linkInvalid')
    }
    rejectWeakPassword(newPassword, account)
    const hash = await this.#hashAlone(account.id, () => this.#options.hasher.hash(newPassword, account.id))
    const entry = { actor: account, action: 'password-changed', address: caller.address } as const
    const change = { account, keepId: undefined, entry, by: 'a link in a mail' } as const
    await this.#replacePassword(change, async (passwords, at, transaction) => {
      // Locks the account before its link, as every other password change does.
      await passwords.setPassword(account.id, { hash, until: null })
      const taken = (await passwords.takeLink(tokenHash, at)) ?? rejectField('token', 'admin.linkInvalid')
      await this.#prove(transaction, account, taken, caller)
    })
    return account.id
  }

  /** The owner of an address that a stranger may have used gets its account, as long as it is not paid for. */
  async #prove(
    transaction: Db,
    account: { readonly id: string; readonly email: string },
    successor: { readonly name: string | null; readonly phone: string | null },
    { address }: Caller,
  ): Promise<void> {
    const at = new Date(this.#options.now())
    if (!(await isClaimable(transaction, account.id, at))) {
      const isConfirmed = (await new PasswordRepository(transaction).findById(account.id))?.email_confirmed_at !== null
      if (isConfirmed) return
      rejectField('token', 'admin.linkInvalid')
    }
    const { hasOpenRequest } = await handOver(transaction, account.id, { at, ...successor })
    const target = { id: account.id, name: account.email }
    const details = { handedOver: true, hasOpenRequest }
    await writeAudit(transaction, { at, actor: account, action: 'email-confirmed', target, address, details })
  }

  /** Resolves when pending mails are sent; for the shutdown. */
  settle() {
    return this.#mails.settle()
  }

  /** One hash per user at a time, so that a single account cannot fill the queue. @throws AppError too-many immediately */
  async #hashAlone<T>(userId: string, work: () => Promise<T>): Promise<T> {
    if (this.#hashing.has(userId)) throw new AppError('too-many', 'http.tooMany', { retryAfterSeconds: 1 })
    this.#hashing.add(userId)
    try {
      return await work()
    } finally {
      this.#hashing.delete(userId)
    }
  }

  async #count(bucket: string, limit: RateLimit, message: MessageOf = 'http.tooMany'): Promise<void> {
    const wait = await this.#options.rateLimiter.hit(bucket, limit)
    if (wait !== undefined) throw new AppError('too-many', message, { retryAfterSeconds: wait })
  }

  /** The caller's account, if the password is correct; wrong ones count, and a correct one only gives back its own count. */
  #ownAccount(current: CurrentSession, password: string, field: string) {
    return this.#hashAlone(current.user._id, async () => {
      const bucket = `confirm:${current.user._id}`
      await this.#count(bucket, rateLimits.confirmUser, 'auth.tooManySignIns')
      const account = await this.#repository.findById(current.user._id)
      if (!(await this.#options.hasher.matches(password, account?.password_hash, current.user._id)) || account === undefined)
        return rejectField(field, 'admin.passwordWrong')
      await this.#options.rateLimiter.giveBack(bucket)
      return account
    })
  }

  /** Sets a password with `set`; closes links, ends sessions, and writes the audit log. */
  async #replacePassword<T>(change: PasswordChange, set: (passwords: PasswordRepository, at: Date, db: Db) => Promise<T>): Promise<T> {
    const { account, keepId, entry, by } = change
    const { made, ended } = await this.#options.db.transaction().execute(async (transaction) => {
      const passwords = new PasswordRepository(transaction)
      const at = new Date(this.#options.now())
      const made = await set(passwords, at, transaction)
      await passwords.closeLinksOf(account.id, at)
      const reason = entry.action.replace('-', ' ')
      const { sessions, counts } =
        keepId === undefined
          ? await passwords.endAllAccessOf(account.id, at, { reason, isByMail: by === 'a link in a mail' })
          : { sessions: await passwords.endSessionsOf(account.id, keepId, at, reason), counts: {} }
      const target = { id: account.id, name: account.email }
      await writeAudit(transaction, { ...entry, at, target, details: { by, ...counts } })
      return { made, ended: sessions }
    })
    // The sessions have ended; a tab that presence failed to remove expires.
    await Promise.all(ended.map((id) => this.#options.presence.leaveSession(id).catch(this.#options.onError)))
    this.#options.onPasswordChanged?.(account.id)
    return made
  }
}

function noSuchUser(): AppError {
  return new AppError('not-found', 'admin.noSuchUser', { fields: { email: 'admin.noSuchUser' } })
}
