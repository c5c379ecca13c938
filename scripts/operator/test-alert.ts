// `npx tezi test-alert`: sends a message to every configured channel.
import { hostname } from 'node:os'
import { systemAlertsText as text, systemStatusText } from '#shared/system-status/text/en.ts'
import { readProcessConfig } from '#server/config/config.ts'
import { smtpMailer } from '#server/mail/smtp-mailer.ts'
import { alertChannels } from '#server/open-system-status.ts'
import { goThroughProxy } from '#server/outbound/proxy.ts'

export async function testAlert(args: readonly string[]): Promise<void> {
  if (args.length > 0) throw new Error('Expected no arguments')
  const config = readProcessConfig()
  const { smtpUrl, isSmtpTlsOptional: isTlsOptional, site, proxy } = config
  goThroughProxy(proxy)
  const siteHost = config.publicOrigin === undefined ? 'localhost' : new URL(config.publicOrigin).hostname
  const mailer = smtpUrl === undefined ? undefined : smtpMailer({ smtpUrl, isTlsOptional, siteHost, brandName: site.brandName, proxy })
  try {
    const channels = alertChannels(config, mailer)
    if (channels.length === 0) throw new Error(systemStatusText.alertsOff)
    for (const channel of channels) {
      await channel.send({ subject: text.testSubject(site.brandName), text: text.sentBy(hostname()) })
      console.log(`${channel.kind}: accepted`)
    }
  } finally {
    await mailer?.close()
  }
}
