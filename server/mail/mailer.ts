// The port to mail: one way to send a plain text; main.ts chooses what is behind it.

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mailer {
  /** Resolves when somebody else has taken the mail over; rejects when nobody did. */
  send(mail: Mail): Promise<void>
  close(): void
}
