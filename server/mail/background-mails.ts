// Mails that a request does not wait for: built and sent in the background, and finished before the shutdown.
import type { Mail, Mailer } from './mailer.ts'

export interface BackgroundMails {
  /** Sends if mail is configured; errors go to `onError`. */
  send(mail: Mail): void
  /** Does all mail work after the response, so that neither its time nor its failure is observable; nothing without a mailer. */
  run(work: (mailer: Mailer) => Promise<void>): void
  /** Resolves when pending mails are sent. */
  settle(): Promise<void>
}

export function backgroundMails(mailer: Mailer | undefined, onError: (error: unknown) => void): BackgroundMails {
  const underWay = new Set<Promise<void>>()
  function run(work: (mailer: Mailer) => Promise<void>): void {
    if (mailer === undefined) return
    const running = new Promise<void>((resolve) => setImmediate(resolve)).then(() => work(mailer)).catch(onError)
    underWay.add(running)
    void running.finally(() => underWay.delete(running))
  }
  return {
    send: (mail) => run((by) => by.send(mail)),
    run,
    async settle() {
      await Promise.all(underWay)
    },
  }
}
