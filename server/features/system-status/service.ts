// The system status: facts of this process, and the judgement of what is failing.
import type { MissingName } from '#server/http/readiness.ts'
import type { MailCounts } from '#server/mail/mailer.ts'
import type { JobRun } from '#server/metrics/job-runs.ts'
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import type { SystemStatus } from '#shared/system-status/contract.ts'
import { pricesState } from '#shared/system-status/prices-state.ts'
import type { CheckName, SystemCheck } from '#shared/system-status/system-check.ts'
import { systemStatusText } from '#shared/system-status/text/en.ts'

const text = systemStatusText.checkDetails

/** Backups are expected every minute, base backups every day. */
const changesAgeMsMax = 5 * minuteMs
const baseAgeMsMax = 26 * hourMs
const jobAgeMsMax = 30 * minuteMs
/** A single failure may be a mistyped recipient. */
const mailFailuresMax = 2
/** Judged by the age of the backups. */
const backupJobs = new Set(['archive-wal', 'backup'])

/** A network share that hangs counts as unreadable. */
const backupTimeoutMs = 2_000

/** Epoch milliseconds; undefined for what does not exist. */
export interface BackupTimes {
  /** When the newest base backup began. */
  readonly baseMs: number | undefined
  /** The newest moment that a restore reaches. */
  readonly reachedMs: number | undefined
  /** When one was last verified. */
  readonly verifiedMs: number | undefined
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

export type SystemStatusService = ReturnType<typeof systemStatusService>

export function systemStatusService(facts: SystemFacts) {
  async function gather() {
    const [missing, backup] = await Promise.all([facts.missing(), facts.backup === undefined ? undefined : readBackup(facts.backup)])
    return { missing, backup, checks: checksOf(facts, missing, backup) }
  }
  return {
    checks: async () => (await gather()).checks,
    /** Without the sockets, which only the HTTP app knows. */
    async read(): Promise<Omit<SystemStatus, 'live'>> {
      const { missing, backup, checks } = await gather()
      return {
        nowMs: facts.now(),
        startedAtMs: facts.startedAtMs,
        checks,
        missing: [...missing],
        warnings: [...facts.warnings],
        database: facts.database(),
        hashes: facts.hashes(),
        hub: facts.hub(),
        sources: facts.sources(),
        jobs: facts.jobs().map(({ lastSuccessMs, ...run }) => ({ ...run, lastSuccessMs: lastSuccessMs ?? null })),
        mails: facts.mails === undefined ? null : { sent: facts.mails.sent, failed: facts.mails.failed, underWay: facts.mails.underWay },
        backup: backup === undefined || backup === 'unreadable' ? null : backupMoments(backup),
        alerts: facts.alerts,
      }
    },
  }
}

const backupMoments = ({ baseMs, reachedMs, verifiedMs }: BackupTimes) => ({
  baseMs: baseMs ?? null,
  reachedMs: reachedMs ?? null,
  verifiedMs: verifiedMs ?? null,
})

async function readBackup(read: () => Promise<BackupTimes>): Promise<BackupTimes | 'unreadable'> {
  const late = Promise.withResolvers<'unreadable'>()
  const timer = setTimeout(() => late.resolve('unreadable'), backupTimeoutMs)
  const times = read().catch(() => 'unreadable' as const)
  return Promise.race([times, late.promise]).finally(() => clearTimeout(timer))
}

/** What is failing now. `backup` is undefined if backups are not configured. */
function checksOf(facts: SystemFacts, missing: readonly MissingName[], backup: BackupTimes | 'unreadable' | undefined): SystemCheck[] {
  const { hasRedis, mails } = facts
  const check = (name: CheckName, failures: readonly (string | undefined)[], isOn = true): SystemCheck => ({
    name,
    state: !isOn ? 'off' : failures.length > 0 ? 'failing' : 'ok',
    details: failures.flatMap((failure) => failure ?? []),
  })
  const absent = (name: MissingName) => (missing.includes(name) ? [undefined] : [])
  return [
    check('database', absent('database')),
    check('writes', absent('writes')),
    check('redis', absent('redis'), hasRedis),
    check('market-hub', absent('market-hub')),
    sourcesCheck(facts.sources()),
    check('jobs', lateJobs(facts)),
    check('mails', (mails?.failedInRow ?? 0) > mailFailuresMax ? [undefined] : [], mails !== undefined),
    check('backup', backup === undefined ? [] : backupIssues(backup, facts), backup !== undefined),
  ]
}

function sourcesCheck(states: SystemStatus['sources']): SystemCheck {
  const broken = states.filter(({ stale, failure }) => stale > 0 || failure !== null)
  const details = broken.map(({ source, isReal, failure }) => {
    if (source === null) return text.noSource
    return isReal ? text.sourceFails(source, failure) : text.generated
  })
  return { name: 'sources', state: pricesState(states), details }
}

function lateJobs({ jobs, now, startedAtMs }: SystemFacts): string[] {
  return jobs()
    .filter(({ job, lastSuccessMs }) => !backupJobs.has(job) && now() - (lastSuccessMs ?? startedAtMs) > jobAgeMsMax)
    .map(({ job }) => job)
}

function backupIssues(backup: BackupTimes | 'unreadable', { now, startedAtMs }: SystemFacts): string[] {
  if (backup === 'unreadable') return [text.backupFolder]
  const { reachedMs = startedAtMs, baseMs = startedAtMs } = backup
  return [...(now() - reachedMs > changesAgeMsMax ? [text.backupChanges] : []), ...(now() - baseMs > baseAgeMsMax ? [text.backupBase] : [])]
}
