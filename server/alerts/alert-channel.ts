// The port to messages for the operator; main.ts chooses the channels.
import type { Mailer } from '#server/mail/mailer.ts'

export interface Alert {
  readonly subject: string
  readonly text: string
}

export interface AlertChannel {
  readonly kind: 'mail' | 'telegram'
  /** Resolves when the message was accepted; rejects otherwise, without secrets in the error. */
  send(alert: Alert): Promise<void>
}

/** Alerts by mail. */
export function mailAlerts({ mailer, to }: { readonly mailer: Pick<Mailer, 'send'>; readonly to: string }): AlertChannel {
  return { kind: 'mail', send: ({ subject, text }) => mailer.send({ to, subject, text }) }
}
