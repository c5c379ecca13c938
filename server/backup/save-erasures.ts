// The list of erased accounts beside the backups. It outlives the database, so that a restore can erase them again.
import { z } from 'zod'
import { dayMs } from '#shared/base/durations.ts'
import { baseTime, listArchives, MissingFile, readJson, writeJson, type BackupFolder } from './backup-folder.ts'
import type { ReplicationConnection } from './replication-connection.ts'

interface Erasure {
  readonly userId: string
  readonly atMs: number
}

const fileName = 'erasures'
const listSchema = z.array(z.object({ userId: z.uuid(), atMs: z.number() }))

/**
 * All erasures that a base backup of the folder may lack.
 * @throws BackupError if the file is missing, damaged or encrypted with another key
 */
export const readErasures = (folder: BackupFolder): Promise<readonly Erasure[]> => readJson(folder, fileName, listSchema)

/**
 * Adds the erasures of the database. Those of the file stay: a restored database lacks them. Ones that are older than
 * the oldest base backup are in every backup, and are left out.
 */
export async function saveErasures(connection: ReplicationConnection, folder: BackupFolder): Promise<void> {
  const known = await readErasures(folder).catch((error: unknown) => {
    if (error instanceof MissingFile) return undefined
    throw error
  })
  const bases = (await listArchives(folder.dir)).flatMap((archive) => archive.bases)
  // Clocks are not exact, and a backup takes time.
  const sinceMs = bases.length === 0 ? 0 : Math.min(...bases.map(baseTime)) - dayMs
  const all = new Map<string, Erasure>()
  for (const erasure of [...(known ?? []), ...(await erasuresSince(connection, sinceMs))]) {
    if (erasure.atMs >= sinceMs) all.set(erasure.userId, erasure)
  }
  const next = [...all.values()]
  if (JSON.stringify(next) !== JSON.stringify(known)) await writeJson(folder, fileName, next)
}

async function erasuresSince(connection: ReplicationConnection, sinceMs: number): Promise<Erasure[]> {
  const [table] = await connection.query<{ found: boolean }>(`select to_regclass('public.erasures') is not null as found`)
  if (table?.found !== true) return []
  const rows = await connection.query<{ user_id: string; ms: string }>(
    `select user_id::text, floor(extract(epoch from at) * 1000)::text as ms from public.erasures where at >= to_timestamp(${sinceMs / 1000})`,
  )
  return rows.map((row) => ({ userId: row.user_id, atMs: Number(row.ms) }))
}
