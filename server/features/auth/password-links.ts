// Mailed links that set a password: for a forgotten one, and for the owner of an address that somebody else signed up with.
import type { Db } from '#server/db/database.ts'
import { rateLimits, type RateLimiter } from '#server/http/rate-limiter.ts'
import type { ProofOfWork } from '#server/http/proof-of-work.ts'
import type { Caller } from '#server/http/session.ts'
import type { BackgroundMails } from '#server/mail/background-mails.ts'
import { defaultLanguage } from '#server/mail/mail-texts.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { isEmail, normaliseEmail } from '#shared/auth/rules.ts'
import { AppError } from '#shared/http/app-error.ts'
import type { Proof } from '#shared/http/proof.ts'
import { linkMail, linkMinutes } from './link-mail.ts'
import { mailBudget, type MailBudget } from './mail-budget.ts'
import { PasswordRepository } from './password-repository.ts'
import { rejectField, rejectWait } from './rules.ts'
import { newSecret, sha256 } from './hash-secret.ts'
import { isClaimable, isUnproven } from './unproven-accounts.ts'

export interface PasswordLinksDeps {
  readonly db: Db
  readonly rateLimiter: RateLimiter
  readonly proofs: ProofOfWork
  readonly now: () => number
  readonly mails: BackgroundMails
  /** Undefined if mail is disabled. */
  readonly mailer: Mailer | undefined
  readonly linkOrigin: string
  readonly brandName: string
}

/** What the successor of an unconfirmed account has entered. */
export interface Successor {
  readonly name: string
  readonly phone: string
}

/** Single-use links. An unconfirmed address gets one only if its account holds nothing of value. */
export class PasswordLinks {
  readonly #deps: PasswordLinksDeps
  readonly #budget: MailBudget

  constructor(deps: PasswordLinksDeps) {
    this.#deps = deps
    this.#budget = mailBudget(deps.rateLimiter)
  }

  /**
   * Mails a link to the account of an email, if there is one. The response precedes any lookup, so neither content
   * nor timing reveals an account. @throws AppError unavailable (no mailer), invalid (malformed email), too-many
   */
  async ask(form: { email: string; proof?: Proof | undefined }, caller: Caller): Promise<void> {
    if (this.#deps.mailer === undefined) throw new AppError('unavailable', 'admin.mailMissing')
    const email = normaliseEmail(form.email)
    if (email === '') rejectField('email', 'auth.fillRequired')
    if (!isEmail(email)) rejectField('email', 'auth.emailInvalid')
    const flood = { limit: rateLimits.linkAddress, proof: form.proof, message: 'http.tooMany' } as const
    await this.#deps.proofs.admit({ action: 'password-link', email, address: caller.address }, flood)
    rejectWait(
      await this.#deps.rateLimiter.hit(`password-link:${sha256(email).toString('base64url').slice(0, 22)}`, rateLimits.linkAccount),
    )
    this.#deps.mails.run(async (mailer) => this.#send(mailer, email, { mayBeUnproven: await this.#isAdmitted(email, caller, 'reset') }))
  }

  /**
   * Mails a link to an address that an unconfirmed account without value holds; its owner gets the account by using it.
   * False if there is no such account, or no mail goes out: none is configured, or too many were asked for.
   */
  async claim(email: string, successor: Successor, caller: Caller): Promise<boolean> {
    if (this.#deps.mailer === undefined || !(await this.#isAdmitted(email, caller, 'claim'))) return false
    this.#deps.mails.run((mailer) => this.#send(mailer, email, { successor, mayBeUnproven: true }))
    return true
  }

  /** Counts a mail to an unproven account; false without one or beyond the budget. Not in a transaction: it needs a connection. */
  async #isAdmitted(email: string, caller: Caller, reason: 'claim' | 'reset'): Promise<boolean> {
    const { db } = this.#deps
    const account = await new PasswordRepository(db).findByEmail(email)
    if (account === undefined || !(await isUnproven(db, account.id))) return false
    return (await this.#budget(email, caller.address, reason)) === undefined
  }

  async #send(
    mailer: Mailer,
    email: string,
    { successor, mayBeUnproven }: { readonly successor?: Successor; readonly mayBeUnproven: boolean },
  ): Promise<void> {
    const token = newSecret()
    // The lock waits for a change of the address, which closes the links that it finds.
    const account = await this.#deps.db.transaction().execute(async (transaction) => {
      const passwords = new PasswordRepository(transaction)
      const found = await passwords.lockByEmail(email)
      if (found === undefined) return undefined
      // Whoever has the address gets the account, so it must be worth nothing to anybody else.
      if (found.email_confirmed_at === null && !(mayBeUnproven && (await isUnproven(transaction, found.id)))) return undefined
      const at = this.#deps.now()
      const times = { created_at: new Date(at), expires_at: new Date(at + linkMinutes * 60_000) }
      await passwords.insertLink({ token_hash: sha256(token), user_id: found.id, ...times, ...successor })
      if (found.email_confirmed_at === null) await passwords.markClaimed(found.id, times.created_at)
      return { ...found, handsOver: await isClaimable(transaction, found.id, times.created_at) }
    })
    if (account === undefined) return
    await mailer.send(
      linkMail({
        language: defaultLanguage,
        to: account.email,
        // A stranger may have typed any text as the name of an unconfirmed account.
        name: account.email_confirmed_at === null ? undefined : account.name,
        handsOver: account.handsOver,
        brandName: this.#deps.brandName,
        link: `${this.#deps.linkOrigin}/reset-password#token=${token}`,
      }),
    )
  }
}
