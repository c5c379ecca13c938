// Use cases of email addresses: confirm one, change it, and tell an account by mail what happened to it.
import type { Db } from '#server/db/database.ts'
import { writeAudit } from '#server/features/audit/audit.ts'
import { limits as numbers, type Limit, type Limits } from '#server/http/limits.ts'
import { backgroundMails } from '#server/mail/background-mails.ts'
import { mailTime } from '#server/mail/mail-time.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { isEmail, normaliseEmail } from '#shared/auth/rules.ts'
import { AppError } from '#shared/http/errors.ts'
import { adminText } from '#shared/text/en/admin.ts'
import { authText } from '#shared/text/en/auth.ts'
import { emailMails, emailText } from '#shared/text/en/email.ts'
import { httpText } from '#shared/text/en/http.ts'
import { emailRepository } from './email-repository.ts'
import { passwordRepository } from './password-repository.ts'
import { refuseField } from './password-rules.ts'
import type { Caller, CurrentSession } from './service.ts'
import { hashSecret, newSecret, sha256 } from './session-rules.ts'

export interface EmailServiceOptions {
  readonly db: Db
  readonly limits: Limits
  readonly now: () => number
  /** Undefined where no mail can be sent: then no address is ever confirmed, and nothing asks for it. */
  readonly mailer: Mailer | undefined
  /** Origin that links in mails lead to. */
  readonly linkOrigin: string
  readonly brandName: string
  /** Receives failures of mails, which undo nothing. */
  readonly onError: (error: unknown) => void
}

/** How long a link works. */
const linkHours = 24

type EmailRepository = ReturnType<typeof emailRepository>
type LockedAccount = NonNullable<Awaited<ReturnType<EmailRepository['lockAccount']>>>
type Content = { readonly subject: string; readonly text: readonly string[] }
export type EmailService = ReturnType<typeof emailService>

export function emailService(options: EmailServiceOptions) {
  const { db, limits, now, mailer, linkOrigin, brandName: brand, onError } = options
  const repository = emailRepository(db)
  const mails = backgroundMails(mailer, onError)

  async function count(bucket: string, limit: Limit): Promise<void> {
    const wait = await limits.hit(bucket, limit)
    if (wait !== undefined) throw new AppError('too-many', httpText.tooMany, { code: 'auth.too-many', retryAfterSeconds: wait })
  }

  function requireMailer(): void {
    if (mailer === undefined) throw new AppError('unavailable', adminText.mailMissing, { code: 'auth.mail-missing' })
  }

  async function send(to: string, { subject, text }: Content): Promise<void> {
    await mailer?.send({ to, subject, text: text.join('\n\n') })
  }

  /**
   * Opens a link for the address that `choose` finds for the locked account, and answers its mail. The lock makes it wait
   * for a change of password or address that is under way, which closes the links that it finds.
   */
  async function openLink(userId: string, choose: (account: LockedAccount, emails: EmailRepository) => string | Promise<string>) {
    const token = newSecret()
    const { name, email } = await db.transaction().execute(async (transaction) => {
      const emails = emailRepository(transaction)
      const account = await emails.lockAccount(userId)
      // Erased meanwhile.
      if (account === undefined) throw sessionEnded()
      const chosen = await choose(account, emails)
      const created_at = new Date(now())
      const expires_at = new Date(created_at.getTime() + linkHours * 3_600_000)
      await emails.insertLink({ token_hash: sha256(token), user_id: userId, email: chosen, created_at, expires_at })
      return { name: account.name, email: chosen }
    })
    const link = `${linkOrigin}/confirm-email#token=${token}`
    return () => send(email, emailMails.confirm({ brand, name, link, hours: linkHours }))
  }

  /** Sends to the address of an account if it is confirmed: another one may be somebody else's. */
  function notify(userId: string, content: (account: { name: string }) => Content): void {
    mails.run(async () => {
      const account = await repository.findById(userId)
      if (account !== undefined && account.email_confirmed_at !== null) await send(account.email, content(account))
    })
  }

  const when = () => mailTime(now())

  return {
    async state(current: CurrentSession): Promise<{ isConfirmed: boolean; hasMail: boolean }> {
      const account = await repository.findById(current.user._id)
      return { isConfirmed: (account?.email_confirmed_at ?? null) !== null, hasMail: mailer !== undefined }
    },

    /** Mails the link of a new account; does nothing without a mailer. */
    signedUp(account: { id: string }): void {
      mails.run(async () => (await openLink(account.id, ({ email }) => email))())
    },

    /** Tells the account of a sign-in with a browser that none of its earlier sessions had. The first sign-in is none. */
    signedIn(account: { id: string }, caller: Caller, at: Date): void {
      mails.run(async () => {
        const known = await repository.userAgentsBefore(account.id, at)
        const kind = deviceKind(caller.userAgent)
        if (known.length === 0 || known.some((userAgent) => deviceKind(userAgent) === kind)) return
        const found = await repository.findById(account.id)
        if (found === undefined || found.email_confirmed_at === null) return
        const device = caller.userAgent === '' ? '–' : caller.userAgent
        await send(found.email, emailMails.newDevice({ brand, name: found.name, at: when(), device, address: caller.address }))
      })
    },

    /** Tells the account that its password was changed, by whomever. */
    passwordChanged(userId: string): void {
      const at = when()
      notify(userId, ({ name }) => emailMails.passwordChanged({ brand, name, at }))
    },

    /** Mails a new link to the own address. @throws AppError unavailable (no mailer), too-many. */
    async sendAgain(current: CurrentSession): Promise<void> {
      requireMailer()
      await count(`email-link:${current.user._id}`, numbers.emailLinkUser)
      mails.run(await openLink(current.user._id, ({ email }) => email))
    },

    /**
     * Mails a link to a new address and tells the present one; the caller has checked the password, whose hash is `known`.
     * @throws AppError unavailable (no mailer), invalid, conflict (taken), too-many, unauthenticated (session ended meanwhile).
     */
    async change(current: CurrentSession, form: { email: string }, known: string): Promise<void> {
      requireMailer()
      const email = normaliseEmail(form.email)
      if (email === '') refuseField('email', authText.fillRequired)
      if (!isEmail(email)) refuseField('email', authText.emailInvalid)
      if (email === current.user.email) refuseField('email', emailText.sameEmail)
      await count(`email-link:${current.user._id}`, numbers.emailLinkUser)
      if (await repository.isTaken(email)) throw emailTaken()
      const sendLink = await openLink(current.user._id, async (account, emails) => {
        if (account.password_hash !== known) refuseField('password', adminText.passwordWrong, 'auth.password-wrong')
        if (!(await emails.isOpen(current.id))) throw sessionEnded()
        return email
      })
      mails.run(sendLink)
      notify(current.user._id, ({ name }) => emailMails.changeAsked({ brand, name }))
    },

    /**
     * Confirms the address of a link, and makes it the account's where it is a new one: then links to the former address
     * close, and both addresses are told. @throws AppError invalid (used, old or unknown), conflict (taken meanwhile), too-many.
     */
    async confirm(form: { token: string }, caller: Caller): Promise<void> {
      await count(`email-use:${caller.address}`, numbers.linkUseAddress)
      const tokenHash = hashSecret(form.token)
      if (tokenHash === undefined) return refuseField('token', emailText.linkInvalid, 'auth.link-invalid')
      const former = await db.transaction().execute(async (transaction) => {
        const at = new Date(now())
        const emails = emailRepository(transaction)
        const found = await emails.findLink(tokenHash)
        // The account before its link, as a change of the password does.
        const account = found === undefined ? undefined : await emails.lockAccount(found.user_id)
        const link = account === undefined ? undefined : await emails.takeLink(tokenHash, at)
        if (link === undefined || account === undefined) return refuseField('token', emailText.linkInvalid, 'auth.link-invalid')
        const isNew = account.email !== link.email
        if (!(await emails.setEmail(account.id, link.email, at))) throw emailTaken()
        if (isNew) await passwordRepository(transaction).closeLinksOf(account.id, at)
        const target = { id: account.id, name: link.email }
        const action = isNew ? 'email-changed' : 'email-confirmed'
        await writeAudit(transaction, { at, actor: { id: account.id, email: link.email }, action, target, address: caller.address })
        return isNew ? { ...account, next: link.email } : undefined
      })
      if (former === undefined) return
      const content = emailMails.changed({ brand, name: former.name })
      mails.run(() => send(former.next, content))
      if (former.email_confirmed_at !== null) mails.run(() => send(former.email, content))
    },

    /** Resolves when the mails that are under way have left; for the stop. */
    settle: () => mails.settle(),
  }
}

/** Browser and system without their versions, which change every month. */
function deviceKind(userAgent: string): string {
  return userAgent.replaceAll(/[\d._]+/g, '')
}

function sessionEnded(): AppError {
  return new AppError('unauthenticated', authText.sessionMissing, { code: 'auth.session-missing' })
}

function emailTaken(): AppError {
  return new AppError('conflict', authText.emailTaken, { code: 'auth.email-taken', fields: { email: authText.emailTaken } })
}
