// Notifies about changes of a user's role, premium or session, whichever process made them.
import { sql } from 'kysely'
import type { Db } from '#server/db/database.ts'
import type { FeedClock } from '../feed.ts'
import { keepRunning } from '../real-clock.ts'

const everyMs = 400
/** Sequence numbers are assigned before commit, so the last few are read again. */
const lookBack = 200
const keptHours = 1

export interface AccessWatchOptions {
  readonly db: Db
  readonly clock: FeedClock
  /** Whether there are users to watch. */
  readonly isNeeded: () => boolean
  readonly onChange: (userIds: ReadonlySet<string>) => void
  /** Watching starts or restarts: earlier changes were missed. */
  readonly onBegin: () => void
  readonly onError: (error: unknown) => void
}

/** Watches until the returned function is called; each change is emitted once. */
export function watchAccess({ db, clock, isNeeded, onChange, onBegin, onError }: AccessWatchOptions): () => void {
  let last: bigint | undefined
  let seen = new Set<string>()

  async function readChanges(): Promise<void> {
    if (last === undefined) {
      const { rows } = await sql<{ id: string }>`select coalesce(max(id), 0) as id from access_changes`.execute(db)
      last = BigInt(rows[0]?.id ?? 0)
      const before = await sql<{ id: string }>`select id from access_changes where id > ${(last - BigInt(lookBack)).toString()}`.execute(db)
      seen = new Set(before.rows.map((row) => row.id))
      onBegin()
      return
    }
    const { rows } = await sql<{ id: string; user_id: string }>`
      select id, user_id from access_changes where id > ${(last - BigInt(lookBack)).toString()} order by id`.execute(db)
    const fresh = rows.filter((row) => !seen.has(row.id))
    seen = new Set(rows.map((row) => row.id))
    for (const row of rows) if (BigInt(row.id) > last) last = BigInt(row.id)
    if (fresh.length > 0) onChange(new Set(fresh.map((row) => row.user_id)))
  }

  return keepRunning(
    clock,
    everyMs,
    async () => {
      if (isNeeded()) await readChanges()
      else last = undefined
    },
    onError,
  )
}

/** Deletes changes that every process has seen long ago. */
export async function sweepAccessChanges(db: Db): Promise<void> {
  await sql`delete from access_changes where changed_at < now() - make_interval(hours => ${keptHours})`.execute(db)
}
