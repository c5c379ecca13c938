// Transactions that may take longer than any request: migrations and imports.
import { sql, type Transaction } from 'kysely'

/** The pool's own timeout is lifted with the server's, so it looks for this text. */
export const liftTimeoutsSql =
  'set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0'

/** Removes all timeouts for the rest of the transaction. */
export async function liftTimeouts<Tables>(transaction: Transaction<Tables>): Promise<void> {
  await sql.raw(liftTimeoutsSql).execute(transaction)
}
