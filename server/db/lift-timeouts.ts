// Transactions with another time limit than a request: none for migrations and imports, a short one for optional reads.
import { sql, type Transaction } from 'kysely'
import { DatabaseError } from 'pg'
import { OutageError } from '../outages/outage-error.ts'
import type { Db } from './database.ts'

/** The pool's own timeout is lifted with the server's, so it looks for this text. */
export const liftTimeoutsSql =
  'set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0'

/** Removes all timeouts for the rest of the transaction. */
export async function liftTimeouts<Tables>(transaction: Transaction<Tables>): Promise<void> {
  await sql.raw(liftTimeoutsSql).execute(transaction)
}

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
