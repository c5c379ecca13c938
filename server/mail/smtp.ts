// The mailer of SMTP_URL: a small pool of connections with time limits.
import { createTransport } from 'nodemailer'
import type { Mailer } from './mailer.ts'

const waitMs = 15_000

/**
 * Mail over SMTP. The sender is `?from=` of the address, else its user where that is an email, else no-reply at the host
 * of the site. With `smtp:` the connection changes to TLS before anything is sent, unless TLS is optional.
 */
export function smtpMailer(needs: { smtpUrl: string; siteHost: string; brandName: string; isTlsOptional: boolean }): Mailer {
  const url = new URL(needs.smtpUrl)
  const user = decodeURIComponent(url.username)
  const address = url.searchParams.get('from') ?? (user.includes('@') ? user : `no-reply@${needs.siteHost}`)
  const transport = createTransport({
    pool: true,
    maxConnections: 2,
    host: url.hostname,
    port: Number(url.port || (url.protocol === 'smtps:' ? 465 : 587)),
    secure: url.protocol === 'smtps:',
    requireTLS: !needs.isTlsOptional,
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(url.password) } }),
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    socketTimeout: waitMs,
    // Mails are made of text alone, so nothing on this machine or another has to be read for them.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(mail) {
      await transport.sendMail({
        from: { name: needs.brandName, address },
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
      })
    },
    close: () => transport.close(),
  }
}
