// The first admin: configured, or created with a generated password that is shown once.
import type { Config } from './config/config.ts'
import { generatePassword, type OperatorCommands } from './features/auth/operator-commands.ts'

const adminEmailDefault = 'admin@tezi.local'

/** Shows lines to the operator at the terminal. */
type Show = (lines: readonly string[]) => Promise<void>

/**
 * Creates the first admin if there is none. The password is shown before it is stored, so that a kill in between cannot
 * lose it, and goes to the terminal, never into the log. A setting without effect is reported.
 */
export async function ensureFirstAdmin(
  operator: Pick<OperatorCommands, 'hasAdmin' | 'createFirstAdmin'>,
  config: Pick<Config, 'adminEmail' | 'adminPassword'>,
  show: Show,
): Promise<void> {
  const email = config.adminEmail ?? adminEmailDefault
  const password = config.adminPassword ?? generatePassword()
  const lines =
    config.adminPassword === undefined
      ? [`First admin: ${email}`, `Password:    ${password}`, 'This password is shown once. Keep it safe.']
      : [`First admin: ${email} (password as given in ADMIN_PASSWORD)`]
  if (await operator.createFirstAdmin({ email, password }, () => show(lines))) return
  if (!(await operator.hasAdmin())) {
    // An ordinary account is never promoted at startup.
    return show([`No admin was created: ${email} is already an ordinary account. Set ADMIN_EMAIL to another address.`])
  }
  if (config.adminPassword !== undefined)
    await show(['ADMIN_PASSWORD is ignored: there is an admin already. To reset a password: npx tezi admin reset-password EMAIL'])
}
