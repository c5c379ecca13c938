// Whether the database can store something: on a full disk it still reads.
import { sql } from 'kysely'
import { secondMs } from '#shared/base/durations.ts'
import { OutageError } from '../outages/outage-error.ts'
import type { Db } from './database.ts'

const everyMs = 15 * secondMs
/** Disk full, no more resources, errors of files, and a server that only reads. */
const refused = /^(53|58|25006)/

/**
 * Returns the last finding at once, and looks again beside it at most every 15 seconds. The first finding is that it can.
 * @param monotonic milliseconds that never go back
 */
export function writeProbe(db: Db, monotonic: () => number = () => performance.now()): () => boolean {
  let canWrite = true
  let lastMs = -Infinity
  return () => {
    if (monotonic() - lastMs >= everyMs) {
      lastMs = monotonic()
      void writes(db).then((found) => (canWrite = found))
    }
    return canWrite
  }
}

/** A table of its own is a new file, which a change of a row need not be. */
async function writes(db: Db): Promise<boolean> {
  try {
    await db.transaction().execute(async (transaction) => {
      await sql`create temporary table tezi_write_probe (note text) on commit drop`.execute(transaction)
      await sql`insert into tezi_write_probe values ('x')`.execute(transaction)
    })
    return true
  } catch (error) {
    // Anything else, such as a lost connection, is reported by the check of the database itself.
    const { code } = (error instanceof OutageError ? error.cause : error) as { code?: string }
    return !refused.test(code ?? '')
  }
}
