// The SQL of the audit log: filtered, newest first.
import { sql, type Expression, type SqlBool } from 'kysely'
import type { Db } from '#server/db/database.ts'
import { escapeLike } from '#server/db/escape-like.ts'
import { adminActions } from '#shared/audit/audit-actions.ts'
import type { AuditFilter, AuditRow } from '#shared/audit/contract.ts'
import { dayMs } from '#shared/base/durations.ts'
import { indiaDayStartMs } from '#shared/base/india-time.ts'

/** Up to `limit` entries of a filter older than the id `before`. */
export async function readAudit(db: Db, filter: AuditFilter & { before?: string | undefined }, limit: number): Promise<AuditRow[]> {
  const rows = await db
    .selectFrom('audit_log')
    .leftJoin('users as actors', 'actors.id', 'audit_log.actor_id')
    .leftJoin('users as targets', 'targets.id', 'audit_log.target_id')
    .selectAll('audit_log')
    .select(['actors.name as actor_name', 'targets.name as target_name'])
    .where((expression) => expression.and(conditionsOf(filter)))
    .orderBy('audit_log.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    actor: row.actor,
    actorName: row.actor_name,
    action: row.action,
    target: row.target,
    targetName: row.target_name,
    address: row.address,
    details: JSON.stringify(row.details),
  }))
}

function conditionsOf({ before, actor, target, action, from, to }: AuditFilter & { before?: string | undefined }): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = []
  if (before !== undefined) conditions.push(sql<SqlBool>`audit_log.id < ${before}`)
  if (action !== 'all') conditions.push(sql<SqlBool>`audit_log.action = any(${action === undefined ? adminActions : [action]}::text[])`)
  if (actor !== undefined && actor !== '') conditions.push(contains(sql`audit_log.actor || ' ' || coalesce(actors.name, '')`, actor))
  if (target !== undefined && target !== '') conditions.push(contains(sql`audit_log.target || ' ' || coalesce(targets.name, '')`, target))
  if (from !== undefined) conditions.push(sql<SqlBool>`audit_log.at >= ${new Date(indiaDayStartMs(from))}`)
  if (to !== undefined) conditions.push(sql<SqlBool>`audit_log.at < ${new Date(indiaDayStartMs(to) + dayMs)}`)
  return conditions
}

function contains(text: Expression<unknown>, search: string): Expression<SqlBool> {
  return sql<SqlBool>`lower(${text}) like lower(${`%${escapeLike(search)}%`})`
}
