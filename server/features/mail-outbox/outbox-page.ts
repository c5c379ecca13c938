// A page that shows the mails of a development server; it exists only where an outbox stands in for a mail server.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { apiHeaders } from '#server/http/security-headers.ts'
import type { Mail } from '#server/mail/mailer.ts'
import { AppError } from '#shared/http/errors.ts'
import { httpText } from '#shared/text/en/http.ts'
import { mailOutboxText as text } from '#shared/text/en/mail-outbox.ts'

export const outboxPath = '/dev/outbox'

const stylePath = '/dev/outbox.css'

// A file of its own, because the policy of the pages forbids style inside them.
const style =
  'body{font:14px/1.5 system-ui,sans-serif;background:#0b0f14;color:#eef0f3;max-width:60rem;margin:2rem auto;padding:0 1rem}a{color:#5fa1f3}' +
  'article{border-top:1px solid #2b3138;padding:1rem 0}h1{font-size:20px}h2{font-size:14px;margin:0}p{margin:.5rem 0;overflow-wrap:anywhere}'

/** What an app without a mail server keeps of its mails, oldest first. */
export interface MailsKept {
  readonly mails: readonly Mail[]
}

export interface OutboxPageNeeds {
  readonly outbox: MailsKept
  /** Policy of the product's pages, which holds here too. */
  readonly policy: string
}

/** Serves `/dev/outbox` to callers on this machine; its links open accounts, so for everybody else it is not there. */
export function serveOutbox(app: FastifyInstance, { outbox, policy }: OutboxPageNeeds): void {
  const headers = { ...apiHeaders, 'content-security-policy': policy }
  const answer = (path: string, type: string, make: () => string) =>
    app.get(path, (request, reply) => {
      if (!isThisMachine(request)) throw new AppError('not-found', httpText.notFound)
      return reply.headers(headers).type(`${type}; charset=utf-8`).send(make())
    })
  answer(outboxPath, 'text/html', () => outboxPage(outbox.mails))
  answer(stylePath, 'text/css', () => style)
}

/** By address, and by name too: a foreign site whose name is pointed at this machine must not read the page. */
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

/** Addresses become links; the text is escaped already, so none of them can leave its quotes. */
function linked(escaped: string): string {
  return escaped.replace(/https?:\/\/[^\s<]+/g, (address) => `<a href="${address}">${address}</a>`)
}

function escape(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
