// `npx tezi backup`, `list-backups` and `verify-backup`.
import path from 'node:path'
import { readProcessConfig, type BackupConfig, type Config } from '#server/config/config.ts'
import { readEnd } from '#server/backup/backup-state.ts'
import { baseTime, listArchives } from '#server/backup/backup-folder.ts'
import { writeVerified } from '#server/backup/backup-state.ts'
import { describeArchive } from '#server/backup/backup-state.ts'
import { takeBaseBackup } from '#server/backup/take-base-backup.ts'
import { removeOldBackups } from '#server/backup/remove-old-backups.ts'
import { iso, planVerify } from '#server/backup/restore-plan.ts'
import { verifyBackup } from '#server/backup/restore.ts'
import { maintenanceUrl } from '#server/engine/open-embedded-server.ts'
import { log, withDatabase } from './run.ts'

/** @throws Error if backups are not configured, or the database is not the embedded one */
export function backupSettings(): { config: Config; backup: BackupConfig } {
  const config = readProcessConfig()
  const { backup } = config
  if (config.databaseUrl !== undefined)
    throw new Error('pgBackRest backs up the server of DATABASE_URL: docs/operating/backup-and-restore.md#your-own-postgresql')
  if (backup === undefined) throw new Error('Set BACKUP_DIR and BACKUP_KEY: docs/operating/backup-and-restore.md')
  return { config, backup }
}

/** Takes a base backup, with the server or without, and removes old ones. */
export async function takeBackup(args: readonly string[]): Promise<void> {
  if (args.length > 0) throw new Error('Expected no arguments')
  const { config, backup } = backupSettings()
  const { dataDir } = config
  await withDatabase(async () => {
    const { archive, base, facts, atMs } = await takeBaseBackup({
      databaseUrl: await maintenanceUrl(dataDir),
      folder: backup,
      dataDir,
      mayBegin: true,
    })
    console.log(`${archive}/${base} is complete: ${Math.ceil(facts.bytes / 1e6)} MB before compression.`)
    console.log(`A restore is possible to any moment from ${iso(facts.consistentAtMs)} to ${iso(atMs)}.`)
  })
  for (const name of await removeOldBackups(backup, backup)) console.log(`${name} is removed.`)
}

export async function listBackups(args: readonly string[]): Promise<void> {
  if (args.length > 0) throw new Error('Expected no arguments')
  const { backup: folder } = backupSettings()
  const archives = (await listArchives(folder.dir)).filter(({ bases }) => bases.length > 0)
  if (archives.length === 0) console.log(`There is no backup in ${folder.dir}.`)
  for (const systemId of new Set(archives.map((archive) => archive.systemId))) {
    const ofSystem = archives.filter((archive) => archive.systemId === systemId)
    const newest = ofSystem.at(-1)
    console.log(`database ${systemId}${newest === undefined ? '' : `: ${await describeArchive(folder, newest)}`}`)
    for (const archive of ofSystem) {
      const { atMs, notes } = await readEnd(folder, archive)
      console.log(`${archive.name}: WAL up to ${iso(atMs)}`)
      for (const note of notes) console.log(`  ${note}`)
      for (const base of archive.bases) console.log(`  ${base}  begun ${iso(baseTime(base))}`)
    }
  }
}

/** Restores a backup into a scratch folder of the data folder and compares its content. */
export async function verify(args: readonly string[]): Promise<void> {
  if (args.length > 1) throw new Error('Expected at most one argument: NAME')
  const { config, backup: folder } = backupSettings()
  const plan = await planVerify(folder, args[0])
  const differences = await verifyBackup({ folder, plan, dir: path.join(config.dataDir, 'verify'), log })
  if (differences === undefined || plan.facts.quiet === null) {
    console.log(
      `${plan.base} can be restored up to ${iso(plan.reachedMs)}. Its content was not compared: the database was too busy when it was taken.`,
    )
    return
  }
  const { counts, paid } = plan.facts.quiet.facts
  if (differences.length > 0) throw new Error([`${plan.base} differs from the database that it was taken of:`, ...differences].join('\n'))
  await writeVerified(folder, { archive: plan.archive.name, base: plan.base }, Date.now())
  const rows = Object.values(counts).reduce((sum, count) => sum + Number(count), 0)
  const sums = Object.entries(paid).map(([type, minor]) => `, ${type} payments ${(Number(minor) / 100).toFixed(2)}`)
  console.log(`${plan.base} is good: ${Object.keys(counts).length} tables, ${rows} rows${sums.join('')}.`)
  console.log(`Changes can be restored up to ${iso(plan.reachedMs)}.`)
}
