// `npx tezi restore` into an empty DATA_DIR; `restore-files` and `finish-restore` for a server of DATABASE_URL.
import { parseArgs } from 'node:util'
import { completeRestore } from '#server/complete-restore.ts'
import { readErasures } from '#server/db/backup/erasure-list.ts'
import { iso, planRestore } from '#server/db/backup/restore-plan.ts'
import { restore, restoreFiles } from '#server/db/backup/restore.ts'
import { untilRecovered } from '#server/db/backup/until-recovered.ts'
import { backupSettings } from './backup.ts'
import { log, withDatabase } from './run.ts'

export async function restoreBackup(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { to: { type: 'string' } } })
  const toMs = values.to === undefined ? undefined : readTime(values.to)
  const { config, folder } = backupSettings()
  if (config.databaseUrl !== undefined)
    throw new Error('For the server of DATABASE_URL use restore-files and finish-restore: docs/operating/backup-and-restore.md')
  const plan = await planRestore(folder, toMs)
  const erasures = await readErasures(folder)
  await restore({
    folder,
    plan,
    toMs,
    dataDir: config.dataDir,
    log,
    complete: (database) => completeRestore(database, { erasures, toMs, base: plan.base, now: Date.now, log }),
  })
  console.log(`${config.dataDir} is restored to ${iso(toMs ?? plan.reachedMs)}. Start Tezi, and take a backup.`)
}

/** Writes a data folder that a PostgreSQL of the operator recovers when it starts. */
export async function restoreDataFolder(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: { to: { type: 'string' } }, allowPositionals: true })
  const [dir, ...others] = positionals
  if (dir === undefined || others.length > 0) throw new Error('Expected one argument: FOLDER')
  const toMs = values.to === undefined ? undefined : readTime(values.to)
  const { folder } = backupSettings()
  const plan = await planRestore(folder, toMs)
  await restoreFiles({ folder, plan, toMs, dir, log })
  const major = plan.facts.postgresVersion.split('.')[0]
  console.log(`${dir} is the data folder of a PostgreSQL ${major}. Start this version on it,`)
  console.log(`then run npx tezi finish-restore${values.to === undefined ? '' : ` --to ${values.to}`} before you start Tezi.`)
}

/** The last steps on a recovered server: schema, erasures, sessions, audit log. */
export async function finishRestore(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { to: { type: 'string' } } })
  const toMs = values.to === undefined ? undefined : readTime(values.to)
  const { config, folder } = backupSettings()
  if (config.databaseUrl === undefined) throw new Error('For the embedded database use npx tezi restore, which does this by itself')
  const { base } = await planRestore(folder, toMs)
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
