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

/** A mailer that sends nothing and keeps its mails. */
export interface Outbox extends Mailer {
  /** Oldest first, at most 100. */
  readonly mails: readonly Mail[]
}

export interface MailCounts {
  readonly underWay: number
  readonly sent: number
  readonly failed: number
  /** Failures since the last success. */
  readonly failedInRow: number
}

export interface CountedMailer extends Mailer {
  readonly counts: MailCounts
}

/** Forwards mails to `mailer` and counts them since the start. */
export function countedMailer(mailer: Mailer): CountedMailer {
  const counts = { underWay: 0, sent: 0, failed: 0, failedInRow: 0 }
  return {
    counts,
    async send(mail) {
      counts.underWay += 1
      try {
        await mailer.send(mail)
        counts.sent += 1
        counts.failedInRow = 0
      } catch (error) {
        counts.failed += 1
        counts.failedInRow += 1
        throw error
      } finally {
        counts.underWay -= 1
      }
    },
    close: () => mailer.close(),
  }
}

/** A time in a mail, for example 2026-11-20 06:00 UTC. */
export function mailTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
