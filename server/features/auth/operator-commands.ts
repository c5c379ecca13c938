// Use cases of the operator without signing in: at startup and by commands.
import { randomInt } from 'node:crypto'
import type { Db } from '#server/db/database.ts'
import { operatorActor, writeAudit } from '#server/features/audit/service.ts'
import { normaliseEmail } from '#shared/auth/rules.ts'
import { AppError } from '#shared/http/app-error.ts'
import { retention } from '#shared/privacy/retention.ts'
import { resetFactors } from './factors/factor-service.ts'
import type { PasswordHasher } from './password-hasher.ts'
import { AuthRepository } from './repository.ts'

/** Without look-alike characters, so that it can be read from a screen. */
const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const generatedLength = 20

/** 20 letters and digits: 115 bits of entropy. */
export function generatePassword(): string {
  return Array.from({ length: generatedLength }, () => letters[randomInt(letters.length)]).join('')
}

/** Use cases of `npx tezi admin`. Each is one transaction and adds a row to the audit log. */
export function operatorCommands({ db, hasher, now }: { db: Db; hasher: PasswordHasher; now: () => number }) {
  return {
    /** Removes all second factors of an account; its sessions end. Returns the account to notify. @throws AppError not-found */
    async resetTwoFactor(email: string): Promise<{ email: string; name: string; email_confirmed_at: Date | null }> {
      const by = { actor: operatorActor, address: '' }
      return (await db.transaction().execute((transaction) => resetFactors(transaction, email, new Date(now()), by))).account
    },

    /**
     * Sets a generated temporary password (24 hours, must be changed at the next sign-in); all sessions and links end.
     * `show` gets the password before it is stored, so that a kill in between cannot lose it.
     * @throws AppError not-found
     */
    async resetPassword(email: string, show: (password: string) => Promise<void>): Promise<void> {
      const account = await new AuthRepository(db).findByEmail(normaliseEmail(email))
      if (account === undefined) throw new AppError('not-found', 'admin.noSuchUser')
      const password = generatePassword()
      const hash = await hasher.hash(password)
      await db.transaction().execute(async (transaction) => {
        const accounts = new AuthRepository(transaction)
        const at = new Date(now())
        const until = new Date(at.getTime() + retention.temporaryPasswordMs)
        if (!(await accounts.setPassword(account.id, { hash, until }))) throw new AppError('not-found', 'admin.noSuchUser')
        await accounts.closeLinksOf(account.id, at)
        const { counts: details } = await accounts.endAllAccessOf(account.id, at, { reason: 'password reset', isByMail: false })
        const target = { id: account.id, name: account.email }
        await writeAudit(transaction, { at, actor: operatorActor, action: 'password-reset', target, address: '', details })
        await show(password)
      })
    },

    /**
     * Creates the first admin if there is none; returns whether it did. `beforeCommit` runs between the insert and the commit;
     * if it rejects, no admin is stored.
     * For startup: the caller has validated the password.
     */
    async createFirstAdmin(admin: { email: string; password: string }, beforeCommit: () => Promise<void>): Promise<boolean> {
      if (await new AuthRepository(db).hasAdmin()) return false
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
        if ((await new AuthRepository(transaction).insertAccount(account)) === undefined) return false
        await beforeCommit()
        return true
      })
    },

    hasAdmin: () => new AuthRepository(db).hasAdmin(),
  }
}

export type OperatorCommands = ReturnType<typeof operatorCommands>
