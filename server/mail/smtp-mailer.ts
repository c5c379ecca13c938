// The SMTP mailer: a small connection pool with timeouts.
import { createTransport } from 'nodemailer'
import { proxyUrlFor, type Proxy } from '#server/outbound/proxy.ts'
import type { Mailer } from './mailer.ts'

const waitMs = 15_000

interface SmtpOptions {
  readonly smtpUrl: string
  readonly isTlsOptional: boolean
  readonly proxy?: Proxy | undefined
}

/**
 * Connects to the mail server and signs in, without sending anything.
 * @throws Error with the server's response, if it does not accept the sign-in within `timeoutMs`
 */
export async function verifySmtp(options: SmtpOptions & { readonly timeoutMs: number }): Promise<void> {
  const transport = createTransport(connectionOf(options, options.timeoutMs))
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

/**
 * Mail over SMTP. The sender is `?from=` of the URL, else its user if that is an email, else no-reply at the host
 * of the site. With `smtp:` the connection is upgraded to TLS before anything is sent, unless TLS is optional.
 */
export function smtpMailer(options: SmtpOptions & { readonly siteHost: string; readonly brandName: string }): Mailer {
  const url = new URL(options.smtpUrl)
  const user = decodeURIComponent(url.username)
  const address = url.searchParams.get('from') ?? (user.includes('@') ? user : `no-reply@${options.siteHost}`)
  const transport = createTransport({
    ...connectionOf(options, waitMs),
    pool: true,
    maxConnections: 2,
    // Mails are text only, so no file or URL ever has to be read for them.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(mail) {
      await transport.sendMail({
        from: { name: options.brandName, address },
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
      })
    },
    close: () => transport.close(),
  }
}

function connectionOf({ smtpUrl, isTlsOptional, proxy }: SmtpOptions, timeoutMs: number) {
  const url = new URL(smtpUrl)
  const user = decodeURIComponent(url.username)
  const port = Number(url.port || (url.protocol === 'smtps:' ? 465 : 587))
  const proxyUrl = proxyUrlFor(proxy, url.hostname, port)
  return {
    host: url.hostname,
    port,
    ...(proxyUrl === undefined ? {} : { proxy: proxyUrl }),
    secure: url.protocol === 'smtps:',
    requireTLS: !isTlsOptional,
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(url.password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  }
}
