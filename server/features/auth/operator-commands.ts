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

const adminEmailDefault = 'admin@tezi.local'

/** 20 letters and digits: 115 bits of entropy. */
function generatePassword(): string {
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
     * Creates the first admin if there is none. A generated password is shown before it is stored, so that a kill in between cannot
     * lose it. A setting without effect is shown too. For startup: the caller has validated the password.
     */
    async ensureFirstAdmin(
      { adminEmail, adminPassword }: { adminEmail: string | undefined; adminPassword: string | undefined },
      show: (lines: readonly string[]) => Promise<void>,
    ): Promise<void> {
      const email = adminEmail ?? adminEmailDefault
      const password = adminPassword ?? generatePassword()
      const lines =
        adminPassword === undefined
          ? [`First admin: ${email}`, `Password:    ${password}`, 'This password is shown once. Keep it safe.']
          : [`First admin: ${email} (password as given in ADMIN_PASSWORD)`]
      if (!(await new AuthRepository(db).hasAdmin())) {
        const account = { name: 'Admin', email, phone: '', password_hash: await hasher.hash(password), role: 'admin' } as const
        const isCreated = await db.transaction().execute(async (transaction) => {
          const created = await new AuthRepository(transaction).insertAccount({ ...account, created_at: new Date(now()) })
          if (created !== undefined) await show(lines)
          return created !== undefined
        })
        if (isCreated) return
      }
      if (!(await new AuthRepository(db).hasAdmin())) {
        // An ordinary account is never promoted at startup.
        return show([`No admin was created: ${email} is already an ordinary account. Set ADMIN_EMAIL to another address.`])
      }
      if (adminPassword !== undefined)
        await show(['ADMIN_PASSWORD is ignored: there is an admin already. To reset a password: npx tezi admin reset-password EMAIL'])
    },
  }
}
