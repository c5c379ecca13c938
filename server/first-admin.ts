// The first admin: named by the configuration, or made with a generated password that is shown once.
import { randomInt } from 'node:crypto'
import type { Config } from './config.ts'
import type { AuthService } from './features/auth/service.ts'

const adminEmailDefault = 'admin@tezi.local'
/** Without look-alikes, so that it can be read off a screen. */
const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const generatedLength = 20

/**
 * Makes the first admin where there is none. Returns the lines to show the operator, once: the password goes to the
 * terminal, never into the log.
 */
export async function ensureFirstAdmin(auth: AuthService, config: Pick<Config, 'adminEmail' | 'adminPassword'>): Promise<string[]> {
  if (await auth.hasAdmin()) return []
  const email = config.adminEmail ?? adminEmailDefault
  const password = config.adminPassword ?? Array.from({ length: generatedLength }, () => letters[randomInt(letters.length)]).join('')
  const isCreated = await auth.createFirstAdmin({ email, password })
  if (!isCreated) {
    // Another process was first, or the email belongs to an ordinary account, which is never promoted by a start.
    return (await auth.hasAdmin())
      ? []
      : [`No admin was created: ${email} is already an ordinary account. Set ADMIN_EMAIL to another address.`]
  }
  if (config.adminPassword !== undefined) return [`First admin: ${email} (password as given in ADMIN_PASSWORD)`]
  return [`First admin: ${email}`, `Password:    ${password}`, 'This password is shown once. Keep it safe.']
}
