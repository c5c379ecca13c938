// The stories of passwords: give it again, change it, have it reset by an admin, or by a link in a mail.
import type { Db } from '#server/db/database.ts'
import { writeAudit, type AuditEntry } from '#server/features/audit/audit.ts'
import type { Presence } from '#server/features/users/presence.ts'
import { limits as numbers, type Limit, type Limits } from '#server/http/limits.ts'
import type { ProofOfWork } from '#server/http/proof-of-work.ts'
import { backgroundMails } from '#server/mail/background-mails.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { isEmail, normaliseEmail } from '#shared/auth/rules.ts'
import { AppError } from '#shared/http/errors.ts'
import type { Proof } from '#shared/http/proof-of-work.ts'
import { temporaryPasswordMs } from '#shared/privacy/retention.ts'
import { adminText } from '#shared/text/en/admin.ts'
import { authText } from '#shared/text/en/auth.ts'
import { httpText } from '#shared/text/en/http.ts'
import { linkMail, linkMinutes } from './link-mail.ts'
import type { PasswordHasher } from './password.ts'
import { passwordRepository } from './password-repository.ts'
import { refuseEmpty, refuseField, refuseLength, refuseWeakPassword } from './password-rules.ts'
import type { Caller, CurrentSession } from './service.ts'
import { hashSecret, newSecret, sha256 } from './session-rules.ts'
import { wantRecentPassword } from './step-up.ts'

export interface SelfServiceNeeds {
  readonly db: Db
  readonly limits: Limits
  readonly presence: Presence
  readonly hasher: PasswordHasher
  readonly proofs: ProofOfWork
  readonly now: () => number
  /** Undefined where no mail can be sent. */
  readonly mailer: Mailer | undefined
  /** Origin that links in mails lead to, such as https://tezi.example. */
  readonly linkOrigin: string
  readonly brandName: string
  /** Called after a password was changed. */
  readonly onPasswordChanged?: (userId: string) => void
  /** Told of failures that must not undo what is already done. */
  readonly onError: (error: unknown) => void
}

type PasswordRepository = ReturnType<typeof passwordRepository>

interface PasswordChange {
  readonly account: { readonly id: string; readonly email: string }
  /** The session that goes on; undefined where all end. */
  readonly keepId: string | undefined
  readonly entry: Pick<AuditEntry, 'actor' | 'action' | 'address'>
  /** For the log. */
  readonly by: 'its owner' | 'an admin' | 'a link in a mail'
}

export type SelfService = ReturnType<typeof selfService>

/** Passwords. Each change ends sessions, closes open links and is logged in one transaction. */
export function selfService(needs: SelfServiceNeeds) {
  const { db, limits, presence, hasher, now, onError } = needs
  const repository = passwordRepository(db)
  const mails = backgroundMails(needs.mailer, onError)
  const hashing = new Set<string>()

  /** One hash of a user at a time, so that no single account fills the queue. @throws AppError too-many at once. */
  async function hashAlone<T>(userId: string, work: () => Promise<T>): Promise<T> {
    if (hashing.has(userId)) throw new AppError('too-many', httpText.tooMany, { code: 'auth.too-many', retryAfterSeconds: 1 })
    hashing.add(userId)
    try {
      return await work()
    } finally {
      hashing.delete(userId)
    }
  }

  async function count(bucket: string, limit: Limit, message: string = httpText.tooMany): Promise<void> {
    const wait = await limits.hit(bucket, limit)
    if (wait !== undefined) throw new AppError('too-many', message, { code: 'auth.too-many', retryAfterSeconds: wait })
  }

  /** The caller's account, once the password is right; wrong ones count, and a right one takes back its own count only. */
  function ownAccount(current: CurrentSession, password: string, field: string) {
    return hashAlone(current.user._id, async () => {
      const bucket = `confirm:${current.user._id}`
      await count(bucket, numbers.confirmUser, authText.tooManySignIns)
      const account = await repository.findById(current.user._id)
      if (!(await hasher.matches(password, account?.password_hash)) || account === undefined)
        return refuseField(field, adminText.passwordWrong, 'auth.password-wrong')
      await limits.giveBack(bucket)
      return account
    })
  }

  /** Sets a password by `set`; links close, sessions end, in a recovery UDF keys as well, and the log tells. */
  async function replacePassword(change: PasswordChange, set: (passwords: PasswordRepository, at: Date) => Promise<void>): Promise<void> {
    const { account, keepId, entry, by } = change
    const ended = await db.transaction().execute(async (transaction) => {
      const passwords = passwordRepository(transaction)
      const at = new Date(now())
      await set(passwords, at)
      await passwords.closeLinksOf(account.id, at)
      const reason = entry.action.replace('-', ' ')
      const { sessions, counts } =
        keepId === undefined
          ? await passwords.endAllAccessOf(account.id, at, reason)
          : { sessions: await passwords.endSessionsOf(account.id, keepId, at, reason), counts: {} }
      const target = { id: account.id, name: account.email }
      await writeAudit(transaction, { ...entry, at, target, details: { by, ...counts } })
      return sessions
    })
    // The sessions are over by now; a tab that presence could not forget leaves by silence.
    await Promise.all(ended.map((id) => presence.leaveSession(id).catch(onError)))
    needs.onPasswordChanged?.(account.id)
  }

  async function sendLink(mailer: Mailer, email: string): Promise<void> {
    const token = newSecret()
    // The lock makes it wait for a change of the address, which closes the links that it finds.
    const account = await db.transaction().execute(async (transaction) => {
      const passwords = passwordRepository(transaction)
      const found = await passwords.lockByEmail(email)
      // An address that was never confirmed may be that of a stranger, who would get the account.
      if (found === undefined || found.email_confirmed_at === null) return undefined
      const at = now()
      const times = { created_at: new Date(at), expires_at: new Date(at + linkMinutes * 60_000) }
      await passwords.insertLink({ token_hash: sha256(token), user_id: found.id, ...times })
      return found
    })
    if (account === undefined) return
    await mailer.send(
      linkMail({
        to: account.email,
        name: account.name,
        brandName: needs.brandName,
        link: `${needs.linkOrigin}/reset-password#token=${token}`,
      }),
    )
  }

  return {
    /** Notes that the caller has given the own password again; answers its hash. @throws AppError invalid (empty or wrong), too-many. */
    async confirm(current: CurrentSession, form: { password: string }): Promise<{ readonly hash: string }> {
      refuseEmpty({ password: form.password })
      const { password_hash: hash } = await ownAccount(current, form.password, 'password')
      await repository.confirmSession(current.id, new Date(now()))
      return { hash }
    },

    /** Changes the own password; the other sessions end. @throws AppError invalid, too-many. */
    async change(
      current: CurrentSession,
      form: { currentPassword: string; newPassword: string; confirmPassword: string },
      caller: Caller,
    ): Promise<void> {
      const { currentPassword, newPassword, confirmPassword } = form
      refuseEmpty({ currentPassword, newPassword, confirmPassword })
      if (newPassword !== confirmPassword) refuseField('confirmPassword', adminText.passwordsDiffer)
      refuseWeakPassword(newPassword, current.user)
      const account = await ownAccount(current, currentPassword, 'currentPassword')
      const hash = await hashAlone(account.id, () => hasher.hash(newPassword))
      const entry = { actor: account, action: 'password-changed', address: caller.address } as const
      const change = { account, keepId: current.id, entry, by: 'its owner' } as const
      await replacePassword(change, async (passwords, at) => {
        // Somebody else changed it while this was being hashed: the password that was given is not the password any more.
        if (!(await passwords.setPassword(account.id, { hash, until: null }, account.password_hash)))
          refuseField('currentPassword', adminText.passwordWrong, 'auth.password-wrong')
        await passwords.confirmSession(current.id, at)
      })
    },

    /**
     * An admin sets the password of another account. All its sessions and UDF keys end.
     * @throws AppError forbidden (old password), invalid, not-found, too-many.
     */
    async reset(current: CurrentSession, form: { email: string; newPassword: string }, caller: Caller): Promise<void> {
      wantRecentPassword(current, now())
      refuseEmpty({ email: form.email, newPassword: form.newPassword })
      refuseLength(form.newPassword)
      await count(`password-reset:${current.user._id}`, numbers.passwordReset)
      const account = await repository.findByEmail(normaliseEmail(form.email))
      if (account === undefined) throw noSuchUser()
      if (account.id === current.user._id) refuseField('email', adminText.passwordOwn, 'auth.own-password')
      refuseWeakPassword(form.newPassword, account)
      const hash = await hashAlone(current.user._id, () => hasher.hash(form.newPassword))
      const actor = { id: current.user._id, email: current.user.email }
      const entry = { actor, action: 'password-reset', address: caller.address } as const
      await replacePassword({ account, keepId: undefined, entry, by: 'an admin' }, async (passwords, at) => {
        const until = new Date(at.getTime() + temporaryPasswordMs)
        // Erased while its password was being hashed.
        if (!(await passwords.setPassword(account.id, { hash, until }))) throw noSuchUser()
      })
    },

    /**
     * Mails a link to the account of an email, if there is one. The answer comes before anything is looked up, so neither
     * its words nor its time tell. @throws AppError unavailable (no mailer), invalid (no email at all), too-many.
     */
    async askForLink(form: { email: string; proof?: Proof | undefined }, caller: Caller): Promise<void> {
      if (needs.mailer === undefined) throw new AppError('unavailable', adminText.mailMissing, { code: 'auth.mail-missing' })
      const email = normaliseEmail(form.email)
      if (email === '') refuseField('email', authText.fillRequired)
      if (!isEmail(email)) refuseField('email', authText.emailInvalid)
      const flood = { limit: numbers.linkAddress, proof: form.proof, message: httpText.tooMany }
      await needs.proofs.admit({ action: 'password-link', email, address: caller.address }, flood)
      await count(`password-link:${sha256(email).toString('base64url').slice(0, 22)}`, numbers.linkAccount)
      mails.run((mailer) => sendLink(mailer, email))
    },

    /**
     * Sets a new password by the link of a mail; all sessions and UDF keys end. Answers the id of its account.
     * @throws AppError invalid (form, or the link is used or old), too-many.
     */
    async useLink(form: { token: string; newPassword: string; confirmPassword: string }, caller: Caller): Promise<string> {
      const { newPassword, confirmPassword } = form
      refuseEmpty({ newPassword, confirmPassword })
      if (newPassword !== confirmPassword) refuseField('confirmPassword', adminText.passwordsDiffer)
      refuseLength(newPassword)
      const tokenHash = hashSecret(form.token)
      const link = tokenHash === undefined ? undefined : await repository.findLink(tokenHash, new Date(now()))
      const account = link === undefined ? undefined : await repository.findById(link.user_id)
      if (tokenHash === undefined || account === undefined) {
        // Only wrong links count, so that others behind the same address can use theirs.
        await count(`link-use:${caller.address}`, numbers.linkUseAddress)
        return refuseField('token', adminText.linkInvalid, 'auth.link-invalid')
      }
      refuseWeakPassword(newPassword, account)
      const hash = await hashAlone(account.id, () => hasher.hash(newPassword))
      const entry = { actor: account, action: 'password-changed', address: caller.address } as const
      const change = { account, keepId: undefined, entry, by: 'a link in a mail' } as const
      await replacePassword(change, async (passwords, at) => {
        // The account before its link, as every other change of the password does.
        await passwords.setPassword(account.id, { hash, until: null })
        if ((await passwords.takeLink(tokenHash, at)) === undefined) refuseField('token', adminText.linkInvalid, 'auth.link-invalid')
      })
      return account.id
    },

    /** Resolves when the mails that are under way have left; for the stop. */
    settle: () => mails.settle(),
  }
}

function noSuchUser(): AppError {
  return new AppError('not-found', adminText.noSuchUser, { fields: { email: adminText.noSuchUser } })
}
