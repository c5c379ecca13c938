// Mails in the database: rolled back, kept over a kill, tried again, sent once, and not readable there.
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '#server/db/database.ts'
import type { Mail, Mailer } from '#server/mail/mailer.ts'
import { secretBox } from '#server/secrets/secret-box.ts'
import { freshDatabase } from '#server/testing/database.ts'
import { openMailQueue } from './open-mail-queue.ts'

const box = secretBox(Buffer.alloc(32, 1))
const mail = (to: string): Mail => ({ to, subject: 'Set a new password', text: 'https://tezi.example/set-password?token=secret-token' })

let database: Database
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

async function openQueue(send: Mailer['send'], limits = {}) {
  const errors: unknown[] = []
  const queue = await openMailQueue({
    database,
    mailer: { send, close: () => undefined },
    box,
    onError: (error) => errors.push(error),
    limits: { retryDelay: 1, retryDelayMax: 1, ...limits },
  })
  let isClosed = false
  const close = async () => {
    if (!isClosed) await queue.close()
    isClosed = true
  }
  onTestFinished(close)
  return { queue, errors, close }
}

const stored = async () =>
  (await sql<{ row: string }>`select job::text as row from jobs.job`.execute(database.db)).rows.map(({ row }) => row)

test('tries a mail again that the mail server has rejected, and reports it', async () => {
  const sent: string[] = []
  let attempts = 0
  const { queue, errors } = await openQueue(({ to }) => {
    attempts += 1
    if (attempts < 3) return Promise.reject(new Error('mailbox busy'))
    sent.push(to)
    return Promise.resolve()
  })
  await queue.store(mail('asha@example.in'), database.db)
  await vi.waitFor(() => expect(sent).toEqual(['asha@example.in']), { timeout: 60_000 })
  expect(errors.map(String)).toEqual(['Error: mailbox busy', 'Error: mailbox busy'])
})

test('sends what a process has left, each mail once among two processes, and keeps no readable mail', async () => {
  const never = await openQueue(() => Promise.reject(new Error('no mail server')), { retryDelay: 3, retryDelayMax: 3 })
  const people = Array.from({ length: 12 }, (_, index) => `person-${index}@example.in`)
  await never.queue.store(mail('left@example.in'), database.db)
  await never.close()
  const rows = await stored()
  expect(rows.some((row) => row.includes('mails'))).toBe(true)
  expect(rows.join('\n')).not.toMatch(/example\.in|secret-token|token=/)

  const sent: string[] = []
  const send: Mailer['send'] = async ({ to }) => {
    sent.push(to)
    await delay(1)
  }
  const [one] = [await openQueue(send), await openQueue(send)]
  for (const person of people) await one.queue.store(mail(person), database.db)
  await vi.waitFor(() => expect(sent.length).toBeGreaterThan(people.length), { timeout: 90_000 })
  expect(sent.toSorted()).toEqual([...people, 'left@example.in'].toSorted())
})

test('rejects when the database cannot store it', async () => {
  const { queue } = await openQueue(() => Promise.resolve())
  await sql`alter table jobs.job_common rename to hidden`.execute(database.db)
  onTestFinished(async () => void (await sql`alter table jobs.hidden rename to job_common`.execute(database.db)))
  await expect(queue.store(mail('asha@example.in'), database.db)).rejects.toThrow('job_common')
})
