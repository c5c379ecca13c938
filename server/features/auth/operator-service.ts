// What the operator may do from the machine of the database, without signing in: at the start and by commands.
import type { Db } from '#server/db/database.ts'
import { operatorActor, writeAudit } from '#server/features/audit/audit.ts'
import { normaliseEmail } from '#shared/auth/rules.ts'
import { AppError } from '#shared/http/errors.ts'
import { temporaryPasswordMs } from '#shared/privacy/retention.ts'
import { adminText } from '#shared/text/en/admin.ts'
import { resetFactors } from './factors/factor-service.ts'
import { generatePassword } from './generate-password.ts'
import type { PasswordHasher } from './password.ts'
import { passwordRepository } from './password-repository.ts'
import { authRepository } from './repository.ts'

/** Use cases of `npx tezi admin`. Each is one transaction and a row of the audit log. */
export function operatorService(deps: { db: Db; hasher: PasswordHasher; now: () => number }) {
  const { db, hasher, now } = deps

  async function findAccount(email: string) {
    const account = await passwordRepository(db).findByEmail(normaliseEmail(email))
    if (account === undefined) throw new AppError('not-found', adminText.noSuchUser)
    return account
  }

  return {
    /** Removes all second factors of an account; its sessions end. Answers whom to tell. @throws AppError not-found. */
    async resetTwoFactor(email: string): Promise<{ email: string; name: string; email_confirmed_at: Date | null }> {
      const by = () => ({ actor: operatorActor, address: '' })
      const { account } = await db.transaction().execute((transaction) => resetFactors(transaction, email, new Date(now()), by))
      return account
    },

    /**
     * Sets a generated temporary password (24 hours, to be changed at the next sign-in); all sessions, links and UDF keys end.
     * `show` gets the password before it is stored, so that no kill in between can lose it.
     * @throws AppError not-found.
     */
    async resetPassword(email: string, show: (password: string) => Promise<void>): Promise<void> {
      const account = await findAccount(email)
      const password = generatePassword()
      const hash = await hasher.hash(password)
      await db.transaction().execute(async (transaction) => {
        const passwords = passwordRepository(transaction)
        const at = new Date(now())
        const until = new Date(at.getTime() + temporaryPasswordMs)
        if (!(await passwords.setPassword(account.id, { hash, until }))) throw new AppError('not-found', adminText.noSuchUser)
        await passwords.closeLinksOf(account.id, at)
        const { counts: details } = await passwords.endAllAccessOf(account.id, at, 'password reset')
        const target = { id: account.id, name: account.email }
        await writeAudit(transaction, { at, actor: operatorActor, action: 'password-reset', target, address: '', details })
        await show(password)
      })
    },

    /**
     * Creates the first admin where there is none yet; true if this call did it. `beforeCommit` runs once the row is made
     * and before it is stored; where it rejects, no admin is stored.
     * Meant for the start: the caller made sure that the password is a good one.
     */
    async createFirstAdmin(admin: { email: string; password: string }, beforeCommit: () => Promise<void>): Promise<boolean> {
      if (await authRepository(db).hasAdmin()) return false
      const passwordHash = await hasher.hash(admin.password)
      const account = {
        name: 'Admin',
        email: admin.email,
        phone: '',
        password_hash: passwordHash,
        role: 'admin',
        created_at: new Date(now()),
      } as const
      return db.transaction().execute(async (transaction) => {
        if ((await authRepository(transaction).insertAccount(account)) === undefined) return false
        await beforeCommit()
        return true
      })
    },

    hasAdmin: () => authRepository(db).hasAdmin(),
  }
}

export type OperatorService = ReturnType<typeof operatorService>
