// A read that is given up after a time.
import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import { OutageError } from '../outages/outage-error.ts'
import type { Db } from './database.ts'

const canceledCode = '57014'

/** The result of `read` in a transaction, or undefined if one of its statements takes longer. */
export async function withinMs<T>(db: Db, ms: number, read: (db: Db) => Promise<T>): Promise<T | undefined> {
  try {
    return await db.transaction().execute(async (transaction) => {
      await sql`set local statement_timeout = ${sql.lit(ms)}`.execute(transaction)
      return read(transaction)
    })
  } catch (error) {
    const cause = error instanceof OutageError ? error.cause : error
    if (cause instanceof DatabaseError && cause.code === canceledCode) return undefined
    throw error
  }
}
