// A mailer that counts its mails.
import type { Mailer } from './mailer.ts'

export interface CountedMailer extends Mailer {
  readonly counts: {
    readonly underWay: number
    readonly sent: number
    readonly failed: number
    /** Failures since the last success. */
    readonly failedInRow: number
  }
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
