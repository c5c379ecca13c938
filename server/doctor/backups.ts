// Checks the age of the newest backup by the times of the files in the backup folder.
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { dayMs, hourMs } from '#shared/base/durations.ts'
import { failed, ok, type CheckResult } from './check.ts'

/** A daily backup that is late by more than this is missing. */
const ageMsMax = dayMs + 2 * hourMs
/** Backups have a folder each, in a folder of one database. */
const depthMax = 3

/** @param dir the backup folder, if one is configured @param nowMs wall clock, epoch milliseconds */
export async function checkBackups(dir: string, nowMs: number): Promise<CheckResult> {
  const name = 'backup'
  const page = 'docs/operating/backup-and-restore.md'
  let newestMs: number
  try {
    newestMs = await newestFile(dir, depthMax)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return failed(name, `${dir}: ${code}`, `Mount the backup folder and let the user of Tezi read it: ${page}`)
  }
  if (newestMs === -Infinity) return failed(name, `${dir} has no backup`, `Make one, and let it repeat every day: ${page}`)
  const found = `the newest file in ${dir} is ${ageText(nowMs - newestMs)} old`
  if (nowMs - newestMs > ageMsMax) return failed(name, found, `Look into the log for why backups fail: ${page}`)
  return ok(name, found)
}

/** Time of the last change of the newest file, epoch milliseconds. */
async function newestFile(dir: string, depth: number): Promise<number> {
  const entries = await readdir(dir, { withFileTypes: true })
  const times = await Promise.all(
    entries.map(async (entry) => {
      const file = path.join(dir, entry.name)
      if (entry.isDirectory()) return depth > 1 ? newestFile(file, depth - 1) : -Infinity
      return entry.isFile() ? (await stat(file)).mtimeMs : -Infinity
    }),
  )
  return times.reduce((newest, time) => Math.max(newest, time), -Infinity)
}

function ageText(ms: number): string {
  return ms < 2 * hourMs ? `${Math.max(0, Math.round(ms / 60_000))} minutes` : `${Math.round(ms / hourMs)} hours`
}
