// The port to messages for the operator; main.ts chooses the channels.

export interface Alert {
  readonly subject: string
  readonly text: string
}

export interface AlertChannel {
  readonly kind: 'mail' | 'telegram'
  /** Resolves when the message was accepted; rejects otherwise, without secrets in the error. */
  send(alert: Alert): Promise<void>
}
