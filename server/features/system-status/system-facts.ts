// What the system status reads; main.ts passes the parts of the process.
import type { SystemStatus } from '#shared/system-status/contract.ts'
import type { MissingName } from '#server/http/readiness.ts'
import type { JobRun } from '#server/metrics/job-runs.ts'

/** Epoch milliseconds; undefined for what does not exist. */
export interface BackupTimes {
  readonly baseMs: number | undefined
  readonly reachedMs: number | undefined
  readonly verifiedMs: number | undefined
}

export interface MailCounts {
  readonly sent: number
  readonly failed: number
  readonly underWay: number
  /** Failures since the last success. */
  readonly failedInRow: number
}

export interface SystemFacts {
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly startedAtMs: number
  readonly missing: () => Promise<readonly MissingName[]>
  readonly hasRedis: boolean
  readonly warnings: readonly string[]
  readonly database: () => SystemStatus['database']
  readonly hashes: () => SystemStatus['hashes']
  readonly hub: () => SystemStatus['hub']
  readonly sources: () => SystemStatus['sources']
  readonly jobs: () => readonly JobRun[]
  /** Undefined if mail is not configured. */
  readonly mails: MailCounts | undefined
  /** Undefined if backups are not configured; rejects if the folder cannot be read. */
  readonly backup: (() => Promise<BackupTimes>) | undefined
  readonly alerts: SystemStatus['alerts']
}
