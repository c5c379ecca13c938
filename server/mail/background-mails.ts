// Mails that a call does not wait for: made and sent beside it, and finished before the stop.
import type { Mail, Mailer } from './mailer.ts'

export interface BackgroundMails {
  /** Sends where mail is configured; failures go to `onError`. */
  send(mail: Mail): void
  /** Does all that a mail needs after the response, so that neither its time nor its failure shows; nothing without a mailer. */
  run(work: (mailer: Mailer) => Promise<void>): void
  /** Resolves when the mails under way have left. */
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
