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
export interface MemoryMailer extends Mailer {
  /** Oldest first, at most 100. */
  readonly mails: readonly Mail[]
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

export type BackgroundMails = ReturnType<typeof backgroundMails>

/** Mails that a request does not wait for: built and sent in the background, and finished before the shutdown. */
export function backgroundMails(mailer: Mailer | undefined, onError: (error: unknown) => void) {
  const underWay = new Set<Promise<void>>()
  /** Does all mail work after the response, so that neither its time nor its failure is observable; nothing without a mailer. */
  function run(work: (mailer: Mailer) => Promise<void>): void {
    if (mailer === undefined) return
    const running = new Promise<void>((resolve) => setImmediate(resolve)).then(() => work(mailer)).catch(onError)
    underWay.add(running)
    void running.finally(() => underWay.delete(running))
  }
  return {
    /** Sends if mail is configured; errors go to `onError`. */
    send: (mail: Mail): void => run((by) => by.send(mail)),
    run,
    /** Resolves when pending mails are sent. */
    async settle(): Promise<void> {
      await Promise.all(underWay)
    },
  }
}

/** A time in a mail, for example 2026-11-20 06:00 UTC. */
export function mailTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
