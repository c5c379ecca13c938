// Alerts by mail.
import type { Mailer } from '#server/mail/mailer.ts'
import type { AlertChannel } from './alert-channel.ts'

export function mailAlerts({ mailer, to }: { readonly mailer: Pick<Mailer, 'send'>; readonly to: string }): AlertChannel {
  return { kind: 'mail', send: ({ subject, text }) => mailer.send({ to, subject, text }) }
}
