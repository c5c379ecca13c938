// Use cases of email addresses: confirm, change, and notify an account by mail.
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/service.ts'
import { rateLimits, rejectWait, type RateLimiter } from '#server/http/rate-limiter.ts'
import type { Caller, CurrentSession } from '#server/http/session.ts'
import type { MailService, SendMail } from '#server/mail/mail-service.ts'
import { mailTime } from '#server/mail/mailer.ts'
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
  /** If mail is disabled, no address is ever confirmed or needs to be. */
  readonly mails: MailService
  /** Origin of links in mails. */
  readonly linkOrigin: string
  readonly brandName: string
}

/** Lifetime of a link. */
const linkHours = 24

export class EmailService {
  readonly #deps: EmailDeps
  readonly #repository: AuthRepository
  readonly #budget: MailBudget

  constructor(deps: EmailDeps) {
    this.#deps = deps
    this.#budget = mailBudget(deps.rateLimiter)
    this.#repository = new AuthRepository(deps.db)
  }

  async state(current: CurrentSession): Promise<{ isConfirmed: boolean; hasMail: boolean; endsAt: string | null }> {
    const { db, mails } = this.#deps
    const account = await this.#repository.findById(current.user._id)
    const isConfirmed = (account?.email_confirmed_at ?? null) !== null
    const end = isConfirmed || !mails.isEnabled ? undefined : await new UnprovenAccounts(db).endOf(current.user._id)
    return { isConfirmed, hasMail: mails.isEnabled, endsAt: end?.toISOString() ?? null }
  }

  /** Mails the link of a new account, within the budget; does nothing if mail is disabled. The account page sends it later. */
  signedUp(account: { id: string; email: string }, caller: Caller): void {
    this.#deps.mails.run(async () => {
      if ((await this.#budget(account.email, caller.address, 'confirm')) === undefined)
        await this.#openLink(account.id, ({ email }) => email)
    })
  }

  /**
   * Notifies the account of a sign-in with a browser unknown from earlier sessions, in the transaction of the sign-in.
   * The first one does not count.
   */
  async signedIn(transaction: Db, send: SendMail, userId: string, { address, userAgent }: Caller, at: Date): Promise<void> {
    const { mails, brandName: brand } = this.#deps
    if (!mails.isEnabled) return
    const accounts = new AuthRepository(transaction)
    const known = await accounts.userAgentsBefore(userId, at)
    const kind = deviceKind(userAgent)
    if (known.length === 0 || known.some((each) => deviceKind(each) === kind)) return
    const facts = { brand, at: mailTime(at.getTime()), device: userAgent === '' ? '–' : userAgent, address }
    await notifyOwner(send, await accounts.findById(userId), (name) => emailMails.newDevice({ ...facts, name }))
  }

  /** Mails a new link to the user's own address. @throws AppError unavailable (mail is disabled), too-many */
  async sendAgain(current: CurrentSession, caller: Caller): Promise<void> {
    this.#requireMail()
    await this.#countLink(current, current.user.email, caller)
    await this.#openLink(current.user._id, ({ email }) => email)
  }

  /**
   * Mails a link to a new address and notifies the current one; the caller has checked the password, whose hash is `known`.
   * @throws AppError unavailable (mail is disabled), invalid, conflict (taken), too-many, unauthenticated (session ended meanwhile)
   */
  async change(current: CurrentSession, form: { email: string }, known: string, caller: Caller): Promise<void> {
    this.#requireMail()
    const email = normaliseEmail(form.email)
    rejectInvalidEmail(email)
    if (email === current.user.email) rejectField('email', 'email.sameEmail')
    await this.#countLink(current, email, caller)
    if ((await this.#repository.findByEmail(email)) !== undefined) throw emailTaken()
    await this.#openLink(current.user._id, async (account, accounts, send) => {
      if (account.password_hash !== known) rejectField('password', 'admin.passwordWrong')
      if (!(await accounts.hasActiveSession(current.id))) throw sessionEnded()
      await notifyOwner(send, account, (name) => emailMails.changeAsked({ brand: this.#deps.brandName, name }))
      return email
    })
  }

  /**
   * Confirms the address of a link, and assigns it to the account if it is new: then links to the former address are
   * closed, and both addresses are notified. @throws AppError invalid (used, expired or unknown), conflict (taken meanwhile), too-many
   */
  async confirm(form: { token: string }, { address }: Caller): Promise<void> {
    rejectWait(await this.#deps.rateLimiter.hit(`email-use:${address}`, rateLimits.linkUseAddress))
    const tokenHash = hashSecret(form.token)
    if (tokenHash === undefined) return rejectField('token', 'email.linkInvalid')
    await this.#deps.mails.transaction(async (transaction, send) => {
      const at = new Date(this.#deps.now())
      const accounts = new AuthRepository(transaction)
      const found = await accounts.findEmailLink(tokenHash)
      // Locks the account before its link, in the same order as a password change.
      const account = found === undefined ? undefined : await accounts.lockById(found.user_id)
      const link = account === undefined ? undefined : await accounts.takeEmailLink(tokenHash, at)
      if (link === undefined || account === undefined) rejectField('token', 'email.linkInvalid')
      const { email } = link
      const isNew = account.email !== email
      if (!(await accounts.setEmail(account.id, email, at))) throw emailTaken()
      if (isNew) await accounts.closeLinksOf(account.id, at)
      const action = isNew ? 'email-changed' : 'email-confirmed'
      const target = { id: account.id, name: email }
      await writeAudit(transaction, { at, actor: { id: account.id, email }, action, target, address })
      if (isNew) {
        const content = emailMails.changed({ brand: this.#deps.brandName, name: account.name })
        await send(email, content)
        await notifyOwner(send, account, () => content)
      }
    })
  }

  async #countLink(current: CurrentSession, email: string, caller: Caller): Promise<void> {
    rejectWait(await this.#deps.rateLimiter.hit(`email-link:${current.user._id}`, rateLimits.emailLinkUser))
    rejectWait(await this.#budget(email, caller.address, 'confirm'))
  }

  #requireMail(): void {
    if (!this.#deps.mails.isEnabled) throw new AppError('unavailable', 'admin.mailMissing')
  }

  /**
   * Creates and mails a link for the address that `choose` returns for the locked account. The lock waits for
   * a concurrent change of password or address, which closes the links that it finds.
   */
  async #openLink(
    userId: string,
    choose: (account: Account, accounts: AuthRepository, send: SendMail) => string | Promise<string>,
  ): Promise<void> {
    const { mails, brandName: brand, linkOrigin } = this.#deps
    const token = newSecret()
    await mails.transaction(async (transaction, send) => {
      const accounts = new AuthRepository(transaction)
      const account = await accounts.lockById(userId)
      // Erased in the meantime.
      if (account === undefined) throw sessionEnded()
      const email = await choose(account, accounts, send)
      const created_at = new Date(this.#deps.now())
      const expires_at = new Date(created_at.getTime() + linkHours * 3_600_000)
      await accounts.insertEmailLink({ token_hash: sha256(token), user_id: userId, email, created_at, expires_at })
      await send(email, emailMails.confirm({ brand, link: `${linkOrigin}/confirm-email#token=${token}`, hours: linkHours }))
    })
  }
}

/** Sends to the address of an account if it is confirmed: an unconfirmed one may belong to a stranger. */
export async function notifyOwner(
  send: SendMail,
  account: Pick<Account, 'email' | 'email_confirmed_at' | 'name'> | undefined,
  content: (name: string) => Parameters<SendMail>[1],
): Promise<void> {
  if (account !== undefined && account.email_confirmed_at !== null) await send(account.email, content(account.name))
}

/** Browser and OS without versions, which change every month. */
function deviceKind(userAgent: string): string {
  return userAgent.replaceAll(/[\d._]+/g, '')
}

function emailTaken(): AppError {
  return new AppError('conflict', 'auth.emailTaken', { fields: { email: 'auth.emailTaken' } })
}
