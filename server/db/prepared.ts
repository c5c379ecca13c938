// Statements that a connection parses and plans once, for queries of nearly every request.
import { createHash } from 'node:crypto'
import type { CompiledQuery } from 'kysely'
import type { Db } from './database.ts'

const names = new Map<string, string>()

/**
 * A query that is compiled here once and takes its parameters with each call; not for transactions. The name is made
 * of the text: behind a pooler another process may have prepared a statement of the same name.
 */
export function prepared<Row>(db: Db, query: CompiledQuery<Row>): (...parameters: readonly unknown[]) => Promise<Row[]> {
  names.set(query.sql, `tezi_${createHash('sha256').update(query.sql).digest('hex').slice(0, 32)}`)
  return async (...parameters) => (await db.executeQuery<Row>({ ...query, parameters })).rows
}

/** The name of a prepared text; undefined for any other. */
export function preparedName(text: string): string | undefined {
  return names.get(text)
}
