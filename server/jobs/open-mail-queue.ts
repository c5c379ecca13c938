// Mails wait in the database's job queue: they outlive the process, are tried again, and are sent by one of the processes.
import { fromKysely, PgBoss, type ConstructorOptions, type Job, type JobResult } from 'pg-boss'
import type { Database } from '#server/db/database.ts'
import type { Mail, Mailer, MailQueue } from '#server/mail/mailer.ts'
import { OutageError } from '#server/outages/outage-error.ts'
import type { SecretBox } from '#server/secrets/secret-box.ts'

const queue = 'mails'
const hourS = 3_600

/** Within about an hour, which is how long most links are valid. */
const deliveryAttemptsMax = 9
const limits = {
  retryLimit: deliveryAttemptsMax - 1,
  retryDelay: 10,
  retryBackoff: true,
  retryDelayMax: 900,
  expireInSeconds: 600,
  /** After a kill during an attempt. */
  heartbeatSeconds: 30,
  retentionSeconds: 24 * hourS,
  /** They contain an address and maybe a link. */
  deleteAfterSeconds: hourS,
}
const stopMs = 5_000

interface Stored {
  readonly sealed: string
}

interface MailQueueOptions {
  readonly database: Pick<Database, 'connection'>
  /** Sends what was queued. */
  readonly mailer: Mailer
  /** A link in a mail opens an account, so mails are encrypted. */
  readonly box: SecretBox
  readonly onError: (error: unknown, line: string) => void
  readonly limits?: Partial<typeof limits>
}

/**
 * Opens the queue of mails and sends what is in it.
 * @throws Error if the tables of the queue cannot be made
 */
export async function openMailQueue({ database, mailer, box, onError, ...options }: MailQueueOptions): Promise<MailQueue> {
  const boss = new PgBoss({
    ...(database.connection as ConstructorOptions),
    application_name: 'tezi-jobs',
    max: 2,
    schema: 'jobs',
    createSchema: false,
    schedule: false,
  })
  boss.on('error', (error) => onError(new OutageError('database', error), 'the job queue failed'))
  await boss.start()
  await boss.createQueue(queue)
  await boss.updateQueue(queue, { ...limits, ...options.limits })
  const attempt = async (job: Job<Stored>): Promise<JobResult> => {
    try {
      await mailer.send(JSON.parse(box.open(Buffer.from(job.data.sealed, 'base64'), queue)) as Mail)
      return { id: job.id, status: 'completed' }
    } catch (error) {
      onError(error, 'a mail was not sent')
      return { id: job.id, status: 'failed' }
    }
  }
  // A batch every two seconds.
  const worker = await boss.work(queue, { batchSize: 20, perJobResults: true }, (jobs: Job<Stored>[]) => Promise.all(jobs.map(attempt)))
  return {
    async store(mail, transaction) {
      await boss.send(queue, { sealed: box.seal(JSON.stringify(mail), queue).toString('base64') }, { db: fromKysely(transaction) })
    },
    notify: () => boss.notifyWorker(worker),
    close: () => boss.stop({ timeout: stopMs }),
  }
}
