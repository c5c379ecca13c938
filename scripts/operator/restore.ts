// `npx tezi restore` into an empty DATA_DIR; `finish-restore` after a restore of the server of DATABASE_URL with other tools.
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Client } from 'pg'
import { readProcessConfig } from '#server/config/config.ts'
import { describeArchive, usersText } from '#server/backup/backup-state.ts'
import { readErasures } from '#server/backup/save-erasures.ts'
import { iso, planRestore } from '#server/backup/restore-plan.ts'
import { restore } from '#server/backup/restore.ts'
import type { Database } from '#server/db/database.ts'
import { completeRestore } from '#server/features/privacy/complete-restore.ts'
import { ErasuresFile } from '#server/features/privacy/erasures-file.ts'
import { backupSettings } from './backup.ts'
import { log, withDatabase } from './run.ts'

const recoveryPollMs = 500

export async function restoreBackup(args: readonly string[]): Promise<void> {
  const options = { to: { type: 'string' }, system: { type: 'string' }, from: { type: 'string' } } as const
  const { to, system, from } = parseArgs({ args: [...args], options }).values
  const toMs = readTime(to)
  const { config, backup: folder } = backupSettings()
  const plan = await planRestore(folder, { toMs, systemId: system, from })
  log(`database ${plan.archive.systemId}: ${await describeArchive(folder, plan.archive)}`)
  for (const note of plan.notes) log(`WARNING: ${note}`)
  const erasures = await readErasures(folder)
  let users = 0
  await restore({
    folder,
    plan,
    toMs,
    dataDir: config.dataDir,
    log,
    complete: async (database, base) => {
      await completeRestore(database, { erasures, toMs, restored: base, now: Date.now, log })
      users = await countUsers(database)
    },
  })
  console.log(`${config.dataDir} is restored to ${iso(toMs ?? plan.reachedMs)}: ${usersText(users)}.`)
  console.log('Start Tezi, and take a backup.')
}

async function countUsers({ db }: Database): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The last steps on a recovered server: schema, erasures, sessions, audit log. */
export async function finishRestore(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { to: { type: 'string' } } })
  const toMs = readTime(values.to)
  const { databaseUrl, erasuresFile } = readProcessConfig()
  if (databaseUrl === undefined) throw new Error('For the embedded database use npx tezi restore, which does this by itself')
  if (erasuresFile === undefined)
    throw new Error('Set ERASURES_FILE to the list of erased accounts: docs/operating/backup-and-restore.md#your-own-postgresql')
  const erasures = await new ErasuresFile(erasuresFile).read()
  await waitUntilRecovered(databaseUrl)
  await withDatabase((database) => completeRestore(database, { erasures, toMs, restored: 'PostgreSQL server', now: Date.now, log }))
  console.log('The restore is finished. Start Tezi, and take a backup.')
}

/** Until the end of the recovery a server accepts connections, but nothing can be written. @throws Error if it does not answer */
async function waitUntilRecovered(connectionString: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000 })
  // A broken connection also rejects the query.
  client.on('error', () => {})
  await client.connect()
  try {
    for (let polls = 0; ; polls += 1) {
      const { rows } = await client.query<{ recovers: boolean }>('select pg_is_in_recovery() as recovers')
      if (rows[0]?.recovers !== true) return
      if (polls === 0) log('PostgreSQL is still recovering')
      await delay(recoveryPollMs)
    }
  } finally {
    await client.end()
  }
}

/** Epoch milliseconds. @throws Error for a time without a zone, which would mean another moment on another machine */
function readTime(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = Date.parse(text)
  if (Number.isNaN(ms) || !/(Z|[+-]\d\d:\d\d)$/.test(text))
    throw new Error(`--to: "${text}" is not a time with a zone, such as 2026-11-23T10:30:00Z or 2026-11-23T16:00:00+05:30`)
  return ms
}
