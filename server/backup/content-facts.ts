// What is compared after a restore: the rows of every table, and a digest of every table that is a record of people or money.
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { z } from 'zod'
import { connect } from '../engine/copy-command.ts'

export const factsSchema = z.object({
  /** Rows by table. */
  counts: z.record(z.string(), z.string()),
  /** By table: a sum over the hashes of all rows, which no order of the rows changes. */
  digests: z.record(z.string(), z.string()),
  /** Of accepted payments, in paise or cents, by plan type. */
  paid: z.record(z.string(), z.string()),
})
export type ContentFacts = z.output<typeof factsSchema>

/** Tables whose content is compared, not only counted. */
const digestTables = ['users', 'payment_requests', 'subscription_history', 'plans', 'consents', 'erasures', 'audit_log']
const quietMs = 60_000

export interface QuietFacts {
  readonly facts: ContentFacts
  /** Name of a point in the WAL with exactly this content. */
  readonly restorePoint: string
}

/**
 * Facts of one moment that recovery can reach exactly: a restore point with no transaction under way, so that what the
 * snapshot sees and what the WAL contains up to there is the same. Writers are not blocked; a busy database is tried
 * again until there is such a moment. Undefined if there is none within a minute.
 */
export async function quietFacts(databaseUrl: string, label: string, signal?: AbortSignal): Promise<QuietFacts | undefined> {
  const [reader, observer] = [
    await connect({ connectionString: databaseUrl }, signal),
    await connect({ connectionString: databaseUrl }, signal),
  ]
  try {
    const deadline = performance.now() + quietMs
    for (let attempt = 1; ; attempt += 1) {
      // Recovery stops at the first point of a name.
      const restorePoint = `${label}-${attempt}`
      await reader.query('begin isolation level repeatable read, read only')
      if (await isQuietPoint(reader, observer, restorePoint)) {
        // A restore point alone is not flushed, and a backup has only flushed WAL; a commit flushes.
        await observer.query(`select pg_logical_emit_message(true, 'tezi', 'backup')`)
        return { facts: await readFacts(reader), restorePoint }
      }
      await reader.query('rollback')
      if (performance.now() > deadline) return undefined
      await delay(3 + Math.random() * 10)
    }
  } finally {
    await Promise.all([reader.end(), observer.end()])
  }
}

async function isQuietPoint(reader: Client, observer: Client, restorePoint: string): Promise<boolean> {
  const snapshot = await snapshotOf(reader)
  const [oldest, next] = snapshot.split(':')
  if (oldest !== next) return false
  await observer.query('select pg_create_restore_point($1)', [restorePoint])
  // In this order: a transaction that was under way is still in the list, or has changed the snapshot.
  const { rows } = await observer.query<{ busy: boolean }>(
    'select exists (select from pg_stat_activity where backend_xid is not null) as busy',
  )
  return rows[0]?.busy === false && (await snapshotOf(observer)) === snapshot
}

async function snapshotOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ snapshot: string }>('select pg_current_snapshot()::text as snapshot')
  return rows[0]?.snapshot ?? ''
}

/** Reads all tables; pass a connection with a transaction for one moment. */
export async function readFacts(client: Client): Promise<ContentFacts> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p' order by 1`,
  )
  const counts: Record<string, string> = {}
  const digests: Record<string, string> = {}
  for (const { name } of tables) {
    const digest = digestTables.includes(name) ? 'coalesce(sum(hashtextextended(item::text, 0)::numeric), 0)' : 'null'
    const { rows } = await client.query<{ count: string; digest: string | null }>(
      `select count(*)::text as count, ${digest}::text as digest from public.${client.escapeIdentifier(name)} as item`,
    )
    const [row] = rows
    counts[name] = row?.count ?? '0'
    if (typeof row?.digest === 'string') digests[name] = row.digest
  }
  const paid: Record<string, string> = {}
  if (tables.some(({ name }) => name === 'payment_requests')) {
    const { rows } = await client.query<{ type: string; sum: string }>(
      `select type, sum(price_minor)::text as sum from public.payment_requests where status = 'accepted' group by type`,
    )
    for (const { type, sum } of rows) paid[type] = sum
  }
  return { counts, digests, paid }
}

/** One line for each difference; none if both are the same. */
export function compareFacts(expected: ContentFacts, found: ContentFacts): string[] {
  const lines = (['counts', 'digests', 'paid'] as const).flatMap((kind) => {
    const names = new Set([...Object.keys(expected[kind]), ...Object.keys(found[kind])])
    return [...names]
      .filter((name) => expected[kind][name] !== found[kind][name])
      .map((name) => `${name}: ${kind} ${expected[kind][name] ?? 'none'} in the backup, ${found[kind][name] ?? 'none'} restored`)
  })
  return lines.toSorted()
}
