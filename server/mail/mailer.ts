// The port to mail: sends plain text; main.ts chooses the implementation.

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mailer {
  /** Resolves when a mail server has accepted the mail; rejects otherwise. */
  send(mail: Mail): Promise<void>
  close(): void | Promise<void>
}
