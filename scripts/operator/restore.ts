// `npx tezi restore [--to TIME]`: restores the newest backup, or the state of a moment, into an empty DATA_DIR.
import { parseArgs } from 'node:util'
import { completeRestore } from '#server/complete-restore.ts'
import { readErasures } from '#server/db/backup/erasure-list.ts'
import { iso, planRestore } from '#server/db/backup/restore-plan.ts'
import { restore } from '#server/db/backup/restore.ts'
import { backupSettings } from './backup.ts'
import { log } from './run.ts'

export async function restoreBackup(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { to: { type: 'string' } } })
  const toMs = values.to === undefined ? undefined : readTime(values.to)
  const { config, folder } = backupSettings()
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

/** @throws Error for a time without a zone, which would mean another moment on another machine */
function readTime(text: string): number {
  const ms = Date.parse(text)
  if (Number.isNaN(ms) || !/(Z|[+-]\d\d:\d\d)$/.test(text))
    throw new Error(`--to: "${text}" is not a time with a zone, such as 2026-11-23T10:30:00Z or 2026-11-23T16:00:00+05:30`)
  return ms
}
