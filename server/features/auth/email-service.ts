// Use cases of email addresses: confirm, change, and notify an account by mail.
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import { rateLimits, rejectWait, type RateLimiter } from '#server/http/rate-limiter.ts'
import type { Caller, CurrentSession } from '#server/http/session.ts'
import { backgroundMails, mailTime, type BackgroundMails, type Mailer } from '#server/mail/mailer.ts'
import { emailMails } from '#shared/auth/text/en-email.ts'
import { normaliseEmail } from '#shared/auth/rules.ts'
import { AppError } from '#shared/http/app-error.ts'
import { hashSecret, newSecret, sha256 } from './hash-secret.ts'
import { mailBudget, type MailBudget } from './mail-budget.ts'
import { sessionEnded } from './renew-session.ts'
import { AuthRepository, type Account } from './repository.ts'
import { rejectField, rejectInvalidEmail } from './rules.ts'
import { UnprovenAccounts } from './unproven-accounts.ts'

interface EmailDeps {
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

type Content = { readonly subject: string; readonly text: readonly string[] }

/** Lifetime of a link. */
const linkHours = 24

export class EmailService {
  readonly #deps: EmailDeps
  readonly #repository: AuthRepository
  readonly #mails: BackgroundMails
  readonly #budget: MailBudget

  constructor(deps: EmailDeps) {
    this.#deps = deps
    this.#budget = mailBudget(deps.rateLimiter)
    this.#repository = new AuthRepository(deps.db)
    this.#mails = backgroundMails(deps.mailer, deps.onError)
  }

  async state(current: CurrentSession): Promise<{ isConfirmed: boolean; hasMail: boolean; endsAt: string | null }> {
    const { db, mailer } = this.#deps
    const account = await this.#repository.findById(current.user._id)
    const isConfirmed = (account?.email_confirmed_at ?? null) !== null
    const end = isConfirmed || mailer === undefined ? undefined : await new UnprovenAccounts(db).endOf(current.user._id)
    return { isConfirmed, hasMail: mailer !== undefined, endsAt: end?.toISOString() ?? null }
  }

  /** Mails the link of a new account, within the budget; does nothing without a mailer. The account page sends it later. */
  signedUp(account: { id: string; email: string }, caller: Caller): void {
    this.#mails.run(async () => {
      if ((await this.#budget(account.email, caller.address, 'confirm')) !== undefined) return
      const sendLink = await this.#openLink(account.id, ({ email }) => email)
      await sendLink()
    })
  }

  /** Notifies the account of a sign-in with a browser unknown from earlier sessions. The first sign-in does not count. */
  signedIn(account: { id: string }, { address, userAgent }: Caller, at: Date): void {
    this.#mails.run(async () => {
      const known = await this.#repository.userAgentsBefore(account.id, at)
      const kind = deviceKind(userAgent)
      if (known.length === 0 || known.some((each) => deviceKind(each) === kind)) return
      const device = userAgent === '' ? '–' : userAgent
      await this.#notify(account.id, (facts) => emailMails.newDevice({ ...facts, at: this.#when(), device, address }))
    })
  }

  /** Notifies the account that its password was changed. */
  passwordChanged(userId: string): void {
    const at = this.#when()
    this.#mails.run(() => this.#notify(userId, (facts) => emailMails.passwordChanged({ ...facts, at })))
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
    rejectInvalidEmail(email)
    if (email === current.user.email) rejectField('email', 'email.sameEmail')
    await this.#countLink(current, email, caller)
    if ((await this.#repository.findByEmail(email)) !== undefined) throw emailTaken()
    const sendLink = await this.#openLink(current.user._id, async (account, accounts) => {
      if (account.password_hash !== known) rejectField('password', 'admin.passwordWrong')
      if (!(await accounts.hasActiveSession(current.id))) throw sessionEnded()
      return email
    })
    this.#mails.run(sendLink)
    this.#mails.run(() => this.#notify(current.user._id, (facts) => emailMails.changeAsked(facts)))
  }

  /**
   * Confirms the address of a link, and assigns it to the account if it is new: then links to the former address are
   * closed, and both addresses are notified. @throws AppError invalid (used, expired or unknown), conflict (taken meanwhile), too-many
   */
  async confirm(form: { token: string }, { address }: Caller): Promise<void> {
    rejectWait(await this.#deps.rateLimiter.hit(`email-use:${address}`, rateLimits.linkUseAddress))
    const tokenHash = hashSecret(form.token)
    if (tokenHash === undefined) return rejectField('token', 'email.linkInvalid')
    const former = await this.#deps.db.transaction().execute(async (transaction) => {
      const at = new Date(this.#deps.now())
      const accounts = new AuthRepository(transaction)
      const found = await accounts.findEmailLink(tokenHash)
      // Locks the account before its link, in the same order as a password change.
      const account = found === undefined ? undefined : await accounts.lockById(found.user_id)
      const link = account === undefined ? undefined : await accounts.takeEmailLink(tokenHash, at)
      if (link === undefined || account === undefined) return rejectField('token', 'email.linkInvalid')
      const { email } = link
      const isNew = account.email !== email
      if (!(await accounts.setEmail(account.id, email, at))) throw emailTaken()
      if (isNew) await accounts.closeLinksOf(account.id, at)
      const action = isNew ? 'email-changed' : 'email-confirmed'
      const target = { id: account.id, name: email }
      await writeAudit(transaction, { at, actor: { id: account.id, email }, action, target, address })
      return isNew ? { ...account, next: email } : undefined
    })
    if (former === undefined) return
    const content = emailMails.changed({ brand: this.#deps.brandName, name: former.name })
    this.#mails.run(() => this.#send(former.next, content))
    if (former.email_confirmed_at !== null) this.#mails.run(() => this.#send(former.email, content))
  }

  /** Resolves when pending mails are sent; for the shutdown. */
  settle() {
    return this.#mails.settle()
  }

  async #countLink(current: CurrentSession, email: string, caller: Caller): Promise<void> {
    rejectWait(await this.#deps.rateLimiter.hit(`email-link:${current.user._id}`, rateLimits.emailLinkUser))
    rejectWait(await this.#budget(email, caller.address, 'confirm'))
  }

  #requireMailer(): void {
    if (this.#deps.mailer === undefined) throw new AppError('unavailable', 'admin.mailMissing')
  }

  async #send(to: string, { subject, text }: Content): Promise<void> {
    await this.#deps.mailer?.send({ to, subject, text: text.join('\n\n') })
  }

  /**
   * Creates a link for the address that `choose` returns for the locked account, and returns its mail. The lock waits for
   * a concurrent change of password or address, which closes the links that it finds.
   */
  async #openLink(userId: string, choose: (account: Account, accounts: AuthRepository) => string | Promise<string>) {
    const token = newSecret()
    const email = await this.#deps.db.transaction().execute(async (transaction) => {
      const accounts = new AuthRepository(transaction)
      const account = await accounts.lockById(userId)
      // Erased in the meantime.
      if (account === undefined) throw sessionEnded()
      const chosen = await choose(account, accounts)
      const created_at = new Date(this.#deps.now())
      const expires_at = new Date(created_at.getTime() + linkHours * 3_600_000)
      await accounts.insertEmailLink({ token_hash: sha256(token), user_id: userId, email: chosen, created_at, expires_at })
      return chosen
    })
    const { brandName: brand, linkOrigin } = this.#deps
    const link = `${linkOrigin}/confirm-email#token=${token}`
    return () => this.#send(email, emailMails.confirm({ brand, link, hours: linkHours }))
  }

  /** Sends to the address of an account if it is confirmed: an unconfirmed one may belong to a stranger. */
  async #notify(userId: string, content: (facts: { readonly brand: string; readonly name: string }) => Content): Promise<void> {
    const account = await this.#repository.findById(userId)
    if (account === undefined || account.email_confirmed_at === null) return
    await this.#send(account.email, content({ brand: this.#deps.brandName, name: account.name }))
  }

  #when() {
    return mailTime(this.#deps.now())
  }
}

/** Browser and OS without versions, which change every month. */
function deviceKind(userAgent: string): string {
  return userAgent.replaceAll(/[\d._]+/g, '')
}

function emailTaken(): AppError {
  return new AppError('conflict', 'auth.emailTaken', { fields: { email: 'auth.emailTaken' } })
}
