// A page with the mails of a development server; exists only if an outbox replaces the mail server.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { apiHeaders } from '#server/http/security-headers.ts'
import type { Mail, MemoryMailer } from '#server/mail/mailer.ts'
import { AppError } from '#shared/http/app-error.ts'
import { mailOutboxText as text } from '#shared/auth/text/en-email.ts'

export const outboxPath = '/dev/outbox'

const stylePath = '/dev/outbox.css'

// A separate file, because the content security policy forbids inline styles.
const style =
  'body{font:14px/1.5 system-ui,sans-serif;background:#0b0f14;color:#eef0f3;max-width:60rem;margin:2rem auto;padding:0 1rem}a{color:#5fa1f3}' +
  'article{border-top:1px solid #2b3138;padding:1rem 0}h1{font-size:20px}h2{font-size:14px;margin:0}p{margin:.5rem 0;overflow-wrap:anywhere}'

/**
 * Serves `/dev/outbox` to local clients only, because its links open accounts; others get 404.
 * `policy` is the content security policy of the product's pages.
 */
export function serveOutbox(app: FastifyInstance, outbox: Pick<MemoryMailer, 'mails'>, policy: string): void {
  const headers = { ...apiHeaders, 'content-security-policy': policy }
  const serve = (path: string, type: string, render: () => string) =>
    app.get(path, (request, reply) => {
      if (!isThisMachine(request)) throw new AppError('not-found', 'http.notFound')
      return reply.headers(headers).type(`${type}; charset=utf-8`).send(render())
    })
  serve(outboxPath, 'text/html', () => outboxPage(outbox.mails))
  serve(stylePath, 'text/css', () => style)
}

/** By address and also by host name, to prevent DNS rebinding by a foreign site. */
function isThisMachine({ ip, hostname }: FastifyRequest): boolean {
  return /^(127\.|::1$|::ffff:127\.)/.test(ip) && /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/i.test(hostname)
}

function outboxPage(mails: readonly Mail[]): string {
  const articles = mails
    .toReversed()
    .map((mail) => `<article><h2>${escape(mail.subject)}</h2><p>${escape(text.to(mail.to))}</p>${bodyOf(mail)}</article>`)
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<meta name="color-scheme" content="dark"><title>${text.title}</title><link rel="stylesheet" href="${stylePath}"></head>` +
    `<body><main><h1>${text.title}</h1><p>${text.intro}</p>${articles.join('') || `<p>${text.empty}</p>`}</main></body></html>`
  )
}

function bodyOf(mail: Mail): string {
  const paragraphs = mail.text.split('\n\n').map((paragraph) => `<p>${linked(escape(paragraph)).replaceAll('\n', '<br>')}</p>`)
  return paragraphs.join('')
}

/** Makes URLs clickable; the text is already escaped, so they cannot break out of the attribute. */
function linked(escaped: string): string {
  return escaped.replace(/https?:\/\/[^\s<]+/g, (address) => `<a href="${address}">${address}</a>`)
}

function escape(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
