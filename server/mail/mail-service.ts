// The mails of changes: a queue stores them in the transaction of the change, another mailer sends them after it.
import type { Db } from '#server/db/database.ts'
import type { Mail, Mailer, MailQueue } from './mailer.ts'

interface MailServiceDeps {
  readonly db: Db
  /** Undefined if mail is disabled. */
  readonly mailer: Mailer | undefined
  /** Keeps mails until `mailer` has sent them; without it they are lost with the process. */
  readonly mailQueue?: MailQueue | undefined
  /** Handles errors of work after the response. */
  readonly onError: (error: unknown) => void
}

/** Sends a mail of paragraphs if the transaction commits; does nothing if mail is disabled. */
export type SendMail = (to: string, content: { readonly subject: string; readonly text: readonly string[] }) => Promise<void>

export type MailService = ReturnType<typeof mailService>

/** Sends the mails of the services; `settle` resolves when none is under way. */
export function mailService({ db, mailer, mailQueue, onError }: MailServiceDeps) {
  const underWay = new Set<Promise<void>>()

  /** Does work after the response, so that neither its time nor its failure is observable; nothing if mail is disabled. */
  function run(work: () => Promise<void>): void {
    if (mailer === undefined) return
    const running = new Promise<void>((resolve) => setImmediate(resolve)).then(work).catch(onError)
    underWay.add(running)
    void running.finally(() => underWay.delete(running))
  }

  return {
    isEnabled: mailer !== undefined,
    run,
    /** Runs a change and its mails in one transaction. */
    async transaction<T>(change: (transaction: Db, send: SendMail) => Promise<T>): Promise<T> {
      const mails: Mail[] = []
      const result = await db.transaction().execute((transaction) =>
        change(transaction, async (to, { subject, text }) => {
          const mail = { to, subject, text: text.join('\n\n') }
          await mailQueue?.store(mail, transaction)
          mails.push(mail)
        }),
      )
      if (mailQueue === undefined) for (const mail of mails) run(async () => mailer?.send(mail))
      else if (mails.length > 0) mailQueue.notify()
      return result
    },
    async settle(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
