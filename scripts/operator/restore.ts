// `npx tezi restore` into an empty DATA_DIR; `restore-files` and `finish-restore` for a server of DATABASE_URL.
import { parseArgs } from 'node:util'
import { completeRestore } from '#server/complete-restore.ts'
import type { BackupFolder } from '#server/backup/backup-folder.ts'
import { describe, usersText } from '#server/backup/backup-systems.ts'
import { readErasures } from '#server/backup/erasure-list.ts'
import { iso, planRestore, type RestorePlan, type RestoreRequest } from '#server/backup/restore-plan.ts'
import { restore, restoreFiles } from '#server/backup/restore.ts'
import { untilRecovered } from '#server/backup/until-recovered.ts'
import type { Database } from '#server/db/database.ts'
import { backupSettings } from './backup.ts'
import { log, withDatabase } from './run.ts'

export async function restoreBackup(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: wishOptions })
  const request = restoreRequestOf(values)
  const { toMs } = request
  const { config, folder } = backupSettings()
  if (config.databaseUrl !== undefined)
    throw new Error('For the server of DATABASE_URL use restore-files and finish-restore: docs/operating/backup-and-restore.md')
  const plan = await planFor(folder, request)
  const erasures = await readErasures(folder)
  let users = 0
  await restore({
    folder,
    plan,
    toMs,
    dataDir: config.dataDir,
    log,
    complete: async (database, base) => {
      await completeRestore(database, { erasures, toMs, base, now: Date.now, log })
      users = await countUsers(database)
    },
  })
  console.log(`${config.dataDir} is restored to ${iso(toMs ?? plan.reachedMs)}: ${usersText(users)}.`)
  console.log('Start Tezi, and take a backup.')
}

const wishOptions = { to: { type: 'string' }, system: { type: 'string' }, from: { type: 'string' } } as const

function restoreRequestOf({
  to,
  system,
  from,
}: {
  to?: string | undefined
  system?: string | undefined
  from?: string | undefined
}): RestoreRequest {
  return { toMs: to === undefined ? undefined : readTime(to), systemId: system, from }
}

/** Plans, and says which database it is and what of its backups is damaged. */
async function planFor(folder: BackupFolder, request: RestoreRequest): Promise<RestorePlan> {
  const plan = await planRestore(folder, request)
  log(`database ${plan.archive.systemId}: ${await describe(folder, plan.archive)}`)
  for (const note of plan.notes) log(`WARNING: ${note}`)
  return plan
}

async function countUsers({ db }: Database): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Writes a data folder that a PostgreSQL of the operator recovers when it starts. */
export async function restoreDataFolder(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: wishOptions, allowPositionals: true })
  const [dir, ...others] = positionals
  if (dir === undefined || others.length > 0) throw new Error('Expected one argument: FOLDER')
  const request = restoreRequestOf(values)
  const { folder } = backupSettings()
  const plan = await planFor(folder, request)
  await restoreFiles({ folder, plan, toMs: request.toMs, dir, log })
  const major = plan.facts.postgresVersion.split('.')[0]
  console.log(`${dir} is the data folder of a PostgreSQL ${major}. Start this version on it,`)
  console.log(`then run npx tezi finish-restore${values.to === undefined ? '' : ` --to ${values.to}`} before you start Tezi.`)
}

/** The last steps on a recovered server: schema, erasures, sessions, audit log. */
export async function finishRestore(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: wishOptions })
  const request = restoreRequestOf(values)
  const { toMs } = request
  const { config, folder } = backupSettings()
  if (config.databaseUrl === undefined) throw new Error('For the embedded database use npx tezi restore, which does this by itself')
  const { base } = await planFor(folder, request)
  const erasures = await readErasures(folder)
  await untilRecovered(config.databaseUrl, log)
  await withDatabase((database) => completeRestore(database, { erasures, toMs, base, now: Date.now, log }))
  console.log('The restore is finished. Start Tezi, and take a backup.')
}

/** @throws Error for a time without a zone, which would mean another moment on another machine */
function readTime(text: string): number {
  const ms = Date.parse(text)
  if (Number.isNaN(ms) || !/(Z|[+-]\d\d:\d\d)$/.test(text))
    throw new Error(`--to: "${text}" is not a time with a zone, such as 2026-11-23T10:30:00Z or 2026-11-23T16:00:00+05:30`)
  return ms
}
