// Use cases of passwords: confirm, change, reset by an admin, or by a mailed link.
import type { Db } from '#server/db/database.ts'
import { writeAudit, type AuditEntry } from '#server/features/audit/service.ts'
import type { Presence } from '#server/features/users/presence.ts'
import type { ProofOfWork } from '#server/http/proof-of-work.ts'
import { rateLimits, rejectWait, type RateLimiter } from '#server/http/rate-limiter.ts'
import { requireRecentPassword, type Caller, type CurrentSession, type RequestActor } from '#server/http/session.ts'
import type { MailService } from '#server/mail/mail-service.ts'
import { mailTime } from '#server/mail/mailer.ts'
import { emailMails } from '#shared/auth/text/en-email.ts'
import { normaliseEmail } from '#shared/auth/rules.ts'
import { AppError } from '#shared/http/app-error.ts'
import type { Proof } from '#shared/http/proof.ts'
import { retention } from '#shared/privacy/retention.ts'
import { notifyOwner } from './email-service.ts'
import { hashSecret, newSecret, sha256 } from './hash-secret.ts'
import { mailBudget, type MailBudget } from './mail-budget.ts'
import type { PasswordHasher } from './password-hasher.ts'
import { renewSession } from './renew-session.ts'
import { AuthRepository } from './repository.ts'
import { noSuchUser, rejectEmpty, rejectField, rejectInvalidEmail, rejectLength, rejectWeakPassword } from './rules.ts'
import { UnprovenAccounts } from './unproven-accounts.ts'

interface PasswordDeps {
  readonly db: Db
  readonly rateLimiter: RateLimiter
  readonly presence: Presence
  readonly hasher: PasswordHasher
  readonly proofs: ProofOfWork
  readonly now: () => number
  readonly mails: MailService
  /** Origin of links in mails, such as https://tezi.example. */
  readonly linkOrigin: string
  readonly brandName: string
  /** Handles errors that must not undo completed work. */
  readonly onError: (error: unknown) => void
}

interface PasswordChange {
  readonly account: { readonly id: string; readonly email: string }
  /** The session that goes on; undefined ends all. */
  readonly currentId: string | undefined
  readonly entry: Pick<AuditEntry, 'actor' | 'action' | 'address'>
  /** For the log. */
  readonly by: 'its owner' | 'an admin' | 'a link in a mail'
}

/** What the successor of an unconfirmed account has entered. */
interface Successor {
  readonly name: string
  readonly phone: string
}

/** Lifetime of a mailed link. */
const linkMinutes = 30

/** Passwords. Each change ends sessions, closes open links and is logged in one transaction. */
export class PasswordService {
  readonly #deps: PasswordDeps
  readonly #repository: AuthRepository
  readonly #budget: MailBudget
  readonly #hashing = new Set<string>()

  constructor(deps: PasswordDeps) {
    this.#deps = deps
    this.#repository = new AuthRepository(deps.db)
    this.#budget = mailBudget(deps.rateLimiter)
  }

  /**
   * Records the caller's password confirmation; returns its hash and the session's new cookie.
   * @throws AppError invalid (empty or wrong), too-many, unauthenticated (session ended meanwhile)
   */
  async confirm(current: CurrentSession, { password }: { password: string }): Promise<{ readonly hash: string; readonly cookie: string }> {
    rejectEmpty({ password })
    const { password_hash: hash } = await this.#verifyPassword(current, password, 'password')
    return { hash, cookie: await renewSession(this.#deps.db, current.id, { at: new Date(this.#deps.now()), hasPassword: true }) }
  }

  /** Changes the user's own password; the other sessions end. Returns this one's new cookie. @throws AppError invalid, too-many, unauthenticated */
  async change(
    current: CurrentSession,
    { currentPassword, newPassword, confirmPassword }: { currentPassword: string; newPassword: string; confirmPassword: string },
    { address }: Caller,
  ): Promise<string> {
    rejectEmpty({ currentPassword, newPassword, confirmPassword })
    if (newPassword !== confirmPassword) rejectField('confirmPassword', 'admin.passwordsDiffer')
    rejectWeakPassword(newPassword, current.user)
    const account = await this.#verifyPassword(current, currentPassword, 'currentPassword')
    const hash = await this.#hash(newPassword, account.id)
    const entry = { actor: account, action: 'password-changed', address } as const
    const change = { account, currentId: current.id, entry, by: 'its owner' } as const
    return this.#replacePassword(change, async (accounts, at, transaction) => {
      // A concurrent change replaced the password that was checked.
      if (!(await accounts.setPassword(account.id, { hash, until: null }, account.password_hash)))
        rejectField('currentPassword', 'admin.passwordWrong')
      return renewSession(transaction, current.id, { at, hasPassword: true })
    })
  }

  /**
   * An admin sets the password of another account. All its sessions end.
   * @throws AppError forbidden (old password check), invalid, not-found, too-many
   */
  async reset(actor: RequestActor, { email, newPassword }: { email: string; newPassword: string }): Promise<void> {
    requireRecentPassword(actor, this.#deps.now())
    rejectEmpty({ email, newPassword })
    rejectLength(newPassword)
    rejectWait(await this.#deps.rateLimiter.hit(`password-reset:${actor.id}`, rateLimits.passwordReset))
    const account = await this.#repository.findByEmail(normaliseEmail(email))
    if (account === undefined) throw noSuchUser()
    if (account.id === actor.id) rejectField('email', 'admin.passwordOwn')
    rejectWeakPassword(newPassword, account)
    const hash = await this.#hash(newPassword, actor.id)
    const entry = { actor, action: 'password-reset', address: actor.address } as const
    await this.#replacePassword({ account, currentId: undefined, entry, by: 'an admin' }, async (accounts, at) => {
      const until = new Date(at.getTime() + retention.temporaryPasswordMs)
      // Erased while its password was being hashed.
      if (!(await accounts.setPassword(account.id, { hash, until }))) throw noSuchUser()
    })
  }

  /**
   * Mails a single-use link to the account of an email, if there is one; to an unconfirmed address only if its account holds
   * nothing of value. The response precedes any lookup, so neither content nor timing reveals an account.
   * @throws AppError unavailable (mail is disabled), invalid (malformed email), too-many
   */
  async requestLink(form: { email: string; proof?: Proof | undefined }, caller: Caller): Promise<void> {
    const { mails, proofs, rateLimiter } = this.#deps
    if (!mails.isEnabled) throw new AppError('unavailable', 'admin.mailMissing')
    const email = normaliseEmail(form.email)
    rejectInvalidEmail(email)
    const limits = { limit: rateLimits.linkAddress, proof: form.proof, message: 'http.tooMany' } as const
    await proofs.admit({ action: 'password-link', email, address: caller.address }, limits)
    rejectWait(await rateLimiter.hit(`password-link:${sha256(email).toString('base64url').slice(0, 22)}`, rateLimits.linkAccount))
    mails.run(async () => this.#sendLink(email, { mayBeUnproven: await this.#isAdmitted(email, caller, 'reset') }))
  }

  /**
   * Mails a link to an address that an unconfirmed account without value holds; its owner gets the account by using it.
   * False if there is no such account, or no mail goes out: none is configured, or too many were requested.
   */
  async claimAddress(email: string, successor: Successor, caller: Caller): Promise<boolean> {
    if (!this.#deps.mails.isEnabled || !(await this.#isAdmitted(email, caller, 'claim'))) return false
    this.#deps.mails.run(() => this.#sendLink(email, { successor, mayBeUnproven: true }))
    return true
  }

  /**
   * Sets a new password by a mailed link; all sessions end. Returns the id of its account.
   * @throws AppError invalid (form, or the link is used or expired), too-many
   */
  async useLink(
    { token, newPassword, confirmPassword }: { token: string; newPassword: string; confirmPassword: string },
    { address }: Caller,
  ): Promise<string> {
    rejectEmpty({ newPassword, confirmPassword })
    if (newPassword !== confirmPassword) rejectField('confirmPassword', 'admin.passwordsDiffer')
    rejectLength(newPassword)
    const tokenHash = hashSecret(token)
    const link = tokenHash === undefined ? undefined : await this.#repository.findPasswordLink(tokenHash, new Date(this.#deps.now()))
    const account = link === undefined ? undefined : await this.#repository.findById(link.user_id)
    if (tokenHash === undefined || account === undefined) {
      // Only wrong links count, so that others behind the same address can use theirs.
      rejectWait(await this.#deps.rateLimiter.hit(`link-use:${address}`, rateLimits.linkUseAddress))
      return rejectField('token', 'admin.linkInvalid')
    }
    rejectWeakPassword(newPassword, account)
    const hash = await this.#hash(newPassword, account.id)
    const entry = { actor: account, action: 'password-changed', address } as const
    const change = { account, currentId: undefined, entry, by: 'a link in a mail' } as const
    await this.#replacePassword(change, async (accounts, at, transaction) => {
      // Locks the account before its link, as every other password change does.
      await accounts.setPassword(account.id, { hash, until: null })
      const successor = (await accounts.takePasswordLink(tokenHash, at)) ?? rejectField('token', 'admin.linkInvalid')
      const unproven = new UnprovenAccounts(transaction)
      // The owner of an address that a stranger may have used gets its account, as long as it is not paid for.
      if (await unproven.isClaimable(account.id, at)) {
        const details = { handedOver: true, ...(await unproven.handOver(account.id, { at, ...successor })) }
        const target = { id: account.id, name: account.email }
        await writeAudit(transaction, { at, actor: account, action: 'email-confirmed', target, address, details })
      } else if ((await accounts.findById(account.id))?.email_confirmed_at === null) rejectField('token', 'admin.linkInvalid')
    })
    return account.id
  }

  /** Counts a mail to an unproven account; false without one or beyond the budget. Not in a transaction: it needs a connection. */
  async #isAdmitted(email: string, caller: Caller, reason: 'claim' | 'reset'): Promise<boolean> {
    const account = await this.#repository.findByEmail(email)
    if (account === undefined || !(await new UnprovenAccounts(this.#deps.db).isUnproven(account.id))) return false
    return (await this.#budget(email, caller.address, reason)) === undefined
  }

  async #sendLink(
    email: string,
    { successor, mayBeUnproven }: { readonly successor?: Successor; readonly mayBeUnproven: boolean },
  ): Promise<void> {
    const { mails, brandName: brand, linkOrigin } = this.#deps
    const token = newSecret()
    const link = `${linkOrigin}/reset-password#token=${token}`
    // The lock waits for a change of the address, which closes the links that it finds.
    await mails.transaction(async (transaction, send) => {
      const accounts = new AuthRepository(transaction)
      const unproven = new UnprovenAccounts(transaction)
      const found = await accounts.lockByEmail(email)
      if (found === undefined) return
      const isConfirmed = found.email_confirmed_at !== null
      // Whoever has the address gets the account, so it must hold nothing of value to others.
      if (!isConfirmed && !(mayBeUnproven && (await unproven.isUnproven(found.id)))) return
      const at = new Date(this.#deps.now())
      const expires_at = new Date(at.getTime() + linkMinutes * 60_000)
      await accounts.insertPasswordLink({ token_hash: sha256(token), user_id: found.id, created_at: at, expires_at, ...successor })
      if (!isConfirmed) await accounts.markClaimed(found.id, at)
      // A stranger may have typed any text as the name of an unconfirmed account.
      const name = isConfirmed ? found.name : undefined
      const handsOver = await unproven.isClaimable(found.id, at)
      await send(found.email, emailMails.passwordLink({ brand, name, link, minutes: linkMinutes, handsOver }))
    })
  }

  #hash(password: string, userId: string): Promise<string> {
    return this.#hashAlone(userId, () => this.#deps.hasher.hash(password, userId))
  }

  /** One hash per user at a time, so that a single account cannot fill the queue. @throws AppError too-many immediately */
  async #hashAlone<T>(userId: string, work: () => Promise<T>): Promise<T> {
    rejectWait(this.#hashing.has(userId) ? 1 : undefined)
    this.#hashing.add(userId)
    try {
      return await work()
    } finally {
      this.#hashing.delete(userId)
    }
  }

  /** The caller's account, if the password is correct; wrong ones count, and a correct one only gives back its own count. */
  #verifyPassword(current: CurrentSession, password: string, field: string) {
    const { rateLimiter, hasher } = this.#deps
    const userId = current.user._id
    return this.#hashAlone(userId, async () => {
      const bucket = `confirm:${userId}`
      rejectWait(await rateLimiter.hit(bucket, rateLimits.confirmUser), 'auth.tooManySignIns')
      const account = await this.#repository.findById(userId)
      if (!(await hasher.matches(password, account?.password_hash, userId)) || account === undefined)
        return rejectField(field, 'admin.passwordWrong')
      await rateLimiter.giveBack(bucket)
      return account
    })
  }

  /** Sets a password with `set`; closes links, ends sessions, notifies the account, and writes the audit log. */
  async #replacePassword<T>(
    { account, currentId, entry, by }: PasswordChange,
    set: (accounts: AuthRepository, at: Date, transaction: Db) => Promise<T>,
  ): Promise<T> {
    const { mails, presence, brandName: brand, onError } = this.#deps
    const { result, ended } = await mails.transaction(async (transaction, send) => {
      const accounts = new AuthRepository(transaction)
      const at = new Date(this.#deps.now())
      const result = await set(accounts, at, transaction)
      await accounts.closeLinksOf(account.id, at)
      const reason = entry.action.replace('-', ' ')
      const { sessions, counts } =
        currentId === undefined
          ? await accounts.endAllAccessOf(account.id, at, { reason, isByMail: by === 'a link in a mail' })
          : { sessions: await accounts.endSessionsOf(account.id, currentId, at, reason), counts: {} }
      const target = { id: account.id, name: account.email }
      await writeAudit(transaction, { ...entry, at, target, details: { by, ...counts } })
      const owner = await accounts.findById(account.id)
      await notifyOwner(send, owner, (name) => emailMails.passwordChanged({ brand, name, at: mailTime(at.getTime()) }))
      return { result, ended: sessions }
    })
    // The sessions have ended; a tab that presence failed to remove expires.
    await Promise.all(ended.map((id) => presence.leaveSession(id).catch(onError)))
    return result
  }
}
