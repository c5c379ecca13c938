// Admin route of the system status: what an operator without Prometheus needs to know.
import { z } from 'zod'
import { route } from '#shared/http/route.ts'
import { hubPlaces } from '#shared/market-admin/contract.ts'
import { checkNames, checkStates } from './system-check.ts'

const momentMs = z.number().nullable()
const waiting = z.object({ running: z.int(), waiting: z.int() })

const checkSchema = z.object({
  name: z.enum(checkNames),
  state: z.enum(checkStates),
  /** What fails, for example names of jobs; empty if the name says it all. */
  details: z.array(z.string()),
})

const sourceSchema = z.object({
  /** Source id or display name; null for series without a source. */
  source: z.string().nullable(),
  /** Followed series with prices of this source. */
  series: z.int(),
  /** Generated prices are not real. */
  isReal: z.boolean(),
  /** Of these, silent in trading hours, or generated although a real source is set up. */
  stale: z.int(),
  /** Age of the newest update; null if this process does not know it. */
  ageMs: z.number().nullable(),
  /** Why the source does not work; null if it does, or was not asked yet. */
  failure: z.string().nullable(),
  /** False where only another process knows, and before the first answer. */
  isKnown: z.boolean(),
})

const jobSchema = z.object({
  job: z.string(),
  success: z.int(),
  skipped: z.int(),
  failed: z.int(),
  /** Epoch milliseconds; null before the first success of this process. */
  lastSuccessMs: momentMs,
})

const statusSchema = z.object({
  nowMs: z.number(),
  startedAtMs: z.number(),
  checks: z.array(checkSchema),
  /** Names of what `/readyz` calls missing. */
  missing: z.array(z.string()),
  /** Unsafe settings; `/readyz`, which is public, does not list them. */
  warnings: z.array(z.string()),
  database: z.object({ used: z.int(), idle: z.int(), max: z.int(), waiting: z.int() }),
  live: z.object({ sockets: z.int(), ready: z.int(), blocked: z.int() }),
  hashes: z.object({ signIn: waiting, other: waiting }),
  hub: z.enum(hubPlaces),
  sources: z.array(sourceSchema),
  jobs: z.array(jobSchema),
  /** Since the start; null if mail is not configured. */
  mails: z.object({ sent: z.int(), failed: z.int(), underWay: z.int() }).nullable(),
  /** Epoch milliseconds; null if backups are not configured or their folder cannot be read. */
  backup: z.object({ baseMs: momentMs, reachedMs: momentMs, verifiedMs: momentMs }).nullable(),
  /** Where messages about failures go. */
  alerts: z.object({ mail: z.boolean(), telegram: z.boolean() }),
})

export type SystemStatus = z.output<typeof statusSchema>

export const systemStatusRoutes = {
  read: route({
    method: 'GET',
    path: '/admin/status',
    access: 'admin',
    summary: 'State of the process that answers, of its database, sources, jobs, mails and backups. Holds no secret.',
    reply: z.object({ success: z.literal(true), data: statusSchema }),
    errorStatuses: [401, 403],
  }),
}
