// Use cases of email addresses: confirm, change, and notify an account by mail.
import { backgroundMails, type BackgroundMails } from '../../mail/background-mails.ts'
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import { rateLimits, type RateLimit, type RateLimiter } from '#server/http/rate-limiter.ts'
import { mailTime } from '#server/mail/mail-time.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { isEmail, normaliseEmail } from '#shared/auth/rules.ts'
import { AppError } from '#shared/http/app-error.ts'
import { defaultLanguage, mailTexts } from '#server/mail/mail-texts.ts'
import { emailRepository } from './email-repository.ts'
import { mailBudget, type MailBudget } from './mail-budget.ts'
import { PasswordRepository } from './password-repository.ts'
import { rejectField, rejectWait } from './rules.ts'
import { sessionEnded } from './renew-session.ts'
import type { Caller, CurrentSession } from '#server/http/session.ts'
import { hashSecret, newSecret, sha256 } from './hash-secret.ts'
import { endOf } from './unproven-accounts.ts'

export interface EmailServiceOptions {
  readonly db: Db
  readonly rateLimiter: RateLimiter
  readonly now: () => number
  /** Undefined if mail is disabled: then no address is ever confirmed or needs to be. */
  readonly mailer: Mailer | undefined
  /** Origin of links in mails. */
  readonly linkOrigin: string
  readonly brandName: string
  /** Handles mail errors, which undo nothing. */
  readonly onError: (error: unknown) => void
}

/** Lifetime of a link. */
const linkHours = 24

type EmailRepository = ReturnType<typeof emailRepository>
type LockedAccount = NonNullable<Awaited<ReturnType<EmailRepository['lockAccount']>>>
type Content = { readonly subject: string; readonly text: readonly string[] }

export class EmailService {
  readonly #options: EmailServiceOptions
  readonly #repository: ReturnType<typeof emailRepository>
  readonly #mails: BackgroundMails
  readonly #budget: MailBudget

  constructor(options: EmailServiceOptions) {
    this.#options = options
    this.#budget = mailBudget(options.rateLimiter)
    this.#repository = emailRepository(options.db)
    this.#mails = backgroundMails(options.mailer, options.onError)
  }

  async state(current: CurrentSession): Promise<{ isConfirmed: boolean; hasMail: boolean; endsAt: string | null }> {
    const { db, mailer } = this.#options
    const account = await this.#repository.findById(current.user._id)
    const isConfirmed = (account?.email_confirmed_at ?? null) !== null
    const end = isConfirmed || mailer === undefined ? undefined : await endOf(db, current.user._id)
    return { isConfirmed, hasMail: mailer !== undefined, endsAt: end?.toISOString() ?? null }
  }

  /** Mails the link of a new account, within the budget; does nothing without a mailer. The account page sends it later. */
  signedUp(account: { id: string; email: string }, caller: Caller): void {
    this.#mails.run(async () => {
      if ((await this.#budget(account.email, caller.address, 'confirm')) !== undefined) return
      await (
        await this.#openLink(account.id, ({ email }) => email)
      )()
    })
  }

  /** Notifies the account of a sign-in with a browser unknown from earlier sessions. The first sign-in does not count. */
  signedIn(account: { id: string }, caller: Caller, at: Date): void {
    this.#mails.run(async () => {
      const known = await this.#repository.userAgentsBefore(account.id, at)
      const kind = deviceKind(caller.userAgent)
      if (known.length === 0 || known.some((userAgent) => deviceKind(userAgent) === kind)) return
      const found = await this.#repository.findById(account.id)
      if (found === undefined || found.email_confirmed_at === null) return
      const device = caller.userAgent === '' ? '–' : caller.userAgent
      await this.#send(
        found.email,
        mailTexts(defaultLanguage).newDevice({
          brand: this.#options.brandName,
          name: found.name,
          at: this.#when(),
          device,
          address: caller.address,
        }),
      )
    })
  }

  /** Notifies the account that its password was changed. */
  passwordChanged(userId: string): void {
    const at = this.#when()
    this.#notify(userId, ({ name }) => mailTexts(defaultLanguage).passwordChanged({ brand: this.#options.brandName, name, at }))
  }

  /** Mails a new link to the user's own address. @throws AppError unavailable (no mailer), too-many */
  async sendAgain(current: CurrentSession, caller: Caller): Promise<void> {
    this.#requireMailer()
    await this.#countLink(current, current.user.email, caller)
    this.#mails.run(await this.#openLink(current.user._id, ({ email }) => email))
  }

  /**
   * Mails a link to a new address and notifies the current one; the caller has checked the password, whose hash is `known`.
   * @throws AppError unavailable (no mailer), invalid, conflict (taken), too-many, unauthenticated (session ended meanwhile)
   */
  async change(current: CurrentSession, form: { email: string }, known: string, caller: Caller): Promise<void> {
    this.#requireMailer()
    const email = normaliseEmail(form.email)
    if (email === '') rejectField('email', 'auth.fillRequired')
    if (!isEmail(email)) rejectField('email', 'auth.emailInvalid')
    if (email === current.user.email) rejectField('email', 'email.sameEmail')
    await this.#countLink(current, email, caller)
    if (await this.#repository.isTaken(email)) throw emailTaken()
    const sendLink = await this.#openLink(current.user._id, async (account, emails) => {
      if (account.password_hash !== known) rejectField('password', 'admin.passwordWrong')
      if (!(await emails.isOpen(current.id))) throw sessionEnded()
      return email
    })
    this.#mails.run(sendLink)
    this.#notify(current.user._id, ({ name }) => mailTexts(defaultLanguage).changeAsked({ brand: this.#options.brandName, name }))
  }

  /**
   * Confirms the address of a link, and assigns it to the account if it is new: then links to the former address are
   * closed, and both addresses are notified. @throws AppError invalid (used, expired or unknown), conflict (taken meanwhile), too-many
   */
  async confirm(form: { token: string }, caller: Caller): Promise<void> {
    await this.#count(`email-use:${caller.address}`, rateLimits.linkUseAddress)
    const tokenHash = hashSecret(form.token)
    if (tokenHash === undefined) return rejectField('token', 'email.linkInvalid')
    const former = await this.#options.db.transaction().execute(async (transaction) => {
      const at = new Date(this.#options.now())
      const emails = emailRepository(transaction)
      const found = await emails.findLink(tokenHash)
      // Locks the account before its link, in the same order as a password change.
      const account = found === undefined ? undefined : await emails.lockAccount(found.user_id)
      const link = account === undefined ? undefined : await emails.takeLink(tokenHash, at)
      if (link === undefined || account === undefined) return rejectField('token', 'email.linkInvalid')
      const isNew = account.email !== link.email
      if (!(await emails.setEmail(account.id, link.email, at))) throw emailTaken()
      if (isNew) await new PasswordRepository(transaction).closeLinksOf(account.id, at)
      const target = { id: account.id, name: link.email }
      const action = isNew ? 'email-changed' : 'email-confirmed'
      await writeAudit(transaction, { at, actor: { id: account.id, email: link.email }, action, target, address: caller.address })
      return isNew ? { ...account, next: link.email } : undefined
    })
    if (former === undefined) return
    const content = mailTexts(defaultLanguage).changed({ brand: this.#options.brandName, name: former.name })
    this.#mails.run(() => this.#send(former.next, content))
    if (former.email_confirmed_at !== null) this.#mails.run(() => this.#send(former.email, content))
  }

  /** Resolves when pending mails are sent; for the shutdown. */
  settle() {
    return this.#mails.settle()
  }

  async #count(bucket: string, limit: RateLimit): Promise<void> {
    rejectWait(await this.#options.rateLimiter.hit(bucket, limit))
  }

  async #countLink(current: CurrentSession, email: string, caller: Caller): Promise<void> {
    await this.#count(`email-link:${current.user._id}`, rateLimits.emailLinkUser)
    rejectWait(await this.#budget(email, caller.address, 'confirm'))
  }

  #requireMailer(): void {
    if (this.#options.mailer === undefined) throw new AppError('unavailable', 'admin.mailMissing')
  }

  async #send(to: string, { subject, text }: Content): Promise<void> {
    await this.#options.mailer?.send({ to, subject, text: text.join('\n\n') })
  }

  /**
   * Creates a link for the address that `choose` returns for the locked account, and returns its mail. The lock waits for
   * a concurrent change of password or address, which closes the links that it finds.
   */
  async #openLink(userId: string, choose: (account: LockedAccount, emails: EmailRepository) => string | Promise<string>) {
    const token = newSecret()
    const email = await this.#options.db.transaction().execute(async (transaction) => {
      const emails = emailRepository(transaction)
      const account = await emails.lockAccount(userId)
      // Erased in the meantime.
      if (account === undefined) throw sessionEnded()
      const chosen = await choose(account, emails)
      const created_at = new Date(this.#options.now())
      const expires_at = new Date(created_at.getTime() + linkHours * 3_600_000)
      await emails.insertLink({ token_hash: sha256(token), user_id: userId, email: chosen, created_at, expires_at })
      return chosen
    })
    const link = `${this.#options.linkOrigin}/confirm-email#token=${token}`
    return () => this.#send(email, mailTexts(defaultLanguage).confirm({ brand: this.#options.brandName, link, hours: linkHours }))
  }

  /** Sends to the address of an account if it is confirmed: an unconfirmed one may belong to a stranger. */
  #notify(userId: string, content: (account: { name: string }) => Content): void {
    this.#mails.run(async () => {
      const account = await this.#repository.findById(userId)
      if (account !== undefined && account.email_confirmed_at !== null) await this.#send(account.email, content(account))
    })
  }

  #when() {
    return mailTime(this.#options.now())
  }
}

/** Browser and OS without versions, which change every month. */
function deviceKind(userAgent: string): string {
  return userAgent.replaceAll(/[\d._]+/g, '')
}

function emailTaken(): AppError {
  return new AppError('conflict', 'auth.emailTaken', { fields: { email: 'auth.emailTaken' } })
}
