// The port to mail, which sends plain text, and its implementations without a mail server; main.ts chooses one.
import type { Db } from '#server/db/database.ts'

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

export interface MailQueue {
  /** Adds a mail to the outgoing queue: it is sent if `transaction` commits, also by another process or after the next start. */
  store(mail: Mail, transaction: Db): Promise<void>
  /** Call after the commit: sends what is stored now instead of within two seconds. */
  notify(): void
  /** Ends when the attempts under way have. */
  close(): Promise<void>
}

export type MemoryMailer = ReturnType<typeof memoryMailer>

/** A mailer for development and tests: has its last 100 mails in memory and calls `show` for each instead of sending it. */
export function memoryMailer(show: (mail: Mail) => void = () => {}) {
  const mails: Mail[] = []
  return {
    mails: mails as readonly Mail[],
    send(mail: Mail): Promise<void> {
      mails.push(mail)
      if (mails.length > 100) mails.shift()
      show(mail)
      return Promise.resolve()
    },
    close() {},
  }
}

export type CountedMailer = ReturnType<typeof countedMailer>
export type MailCounts = Readonly<CountedMailer['counts']>

/** Forwards mails to `mailer` and counts them since the start. */
export function countedMailer(mailer: Mailer) {
  /** `failedInRow`: failures since the last success. */
  const counts = { underWay: 0, sent: 0, failed: 0, failedInRow: 0 }
  return {
    counts,
    async send(mail: Mail): Promise<void> {
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
