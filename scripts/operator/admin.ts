// `npx tezi admin ...`: restores an owner's access to an account.
import { readProcessConfig } from '#server/config/config.ts'
import { operatorCommands } from '#server/features/auth/operator-commands.ts'
import { passwordHasher } from '#server/features/auth/password-hasher.ts'
import { smtpMailer } from '#server/mail/smtp-mailer.ts'
import { showOperator } from '#server/logs.ts'
import { factorMailText } from '#shared/factors/text/en.ts'
import { oneArgument, withDatabase } from './run.ts'

export async function resetPassword(args: readonly string[]): Promise<void> {
  const email = oneArgument(args, 'EMAIL')
  const show = (password: string) =>
    showOperator([
      `Account:  ${email}`,
      `Password: ${password}`,
      'This password is shown once, works for 24 hours and has to be changed at the next sign-in. All sessions have ended.',
    ])
  await withDatabase(({ db }) => {
    const hasher = passwordHasher(readProcessConfig().passwordHashCost)
    return operatorCommands({ db, hasher, now: Date.now }).resetPassword(email, show)
  })
}

export async function resetTwoFactor(args: readonly string[]): Promise<void> {
  const email = oneArgument(args, 'EMAIL')
  const config = readProcessConfig()
  await withDatabase(async ({ db }) => {
    const hasher = passwordHasher(config.passwordHashCost)
    const account = await operatorCommands({ db, hasher, now: Date.now }).resetTwoFactor(email)
    console.log(`Two-factor sign-in of ${account.email} is removed, and all sessions have ended.`)
    // An unconfirmed address may belong to a stranger.
    if (config.smtpUrl === undefined || account.email_confirmed_at === null) return
    const { brandName } = config.site
    const siteHost = config.publicOrigin === undefined ? 'localhost' : new URL(config.publicOrigin).hostname
    const { smtpUrl, isSmtpTlsOptional: isTlsOptional, proxy } = config
    const mailer = smtpMailer({ smtpUrl, isTlsOptional, siteHost, brandName, proxy })
    try {
      const about = { brand: brandName, name: account.name, factor: 'two-factor sign-in', by: 'admin' } as const
      const { subject, text } = factorMailText.removed(about)
      await mailer.send({ to: account.email, subject, text: text.join('\n\n') })
    } finally {
      await mailer.close()
    }
  })
}
