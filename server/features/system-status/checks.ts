// Judges the facts of the system: what is failing now.
import { hourMs, minuteMs } from '#shared/base/durations.ts'
import type { CheckName, SystemCheck } from '#shared/system-status/system-check.ts'
import { systemStatusText } from '#shared/text/en/system-status.ts'
import type { SystemStatus } from '#shared/system-status/contract.ts'
import { pricesState } from '#shared/system-status/prices-state.ts'
import type { MissingName } from '#server/http/readiness.ts'
import type { BackupTimes, SystemFacts } from './system-facts.ts'

const text = systemStatusText.checkDetails

/** Backups are expected every minute, base backups every day. */
const changesAgeMsMax = 5 * minuteMs
const baseAgeMsMax = 26 * hourMs
const jobAgeMsMax = 30 * minuteMs
/** A single failure may be a mistyped recipient. */
const mailFailuresMax = 2
/** Judged by the age of the backups. */
const backupJobs = new Set(['archive-wal', 'backup'])

export type CheckedFacts = Pick<SystemFacts, 'now' | 'startedAtMs' | 'hasRedis' | 'sources' | 'jobs' | 'mails'> & {
  readonly missing: readonly MissingName[]
  /** Undefined if backups are not configured. */
  readonly backup: BackupTimes | 'unreadable' | undefined
}

export function checksOf(facts: CheckedFacts): SystemCheck[] {
  const { missing, hasRedis, mails, backup } = facts
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

function lateJobs({ jobs, now, startedAtMs }: CheckedFacts): string[] {
  return jobs()
    .filter(({ job, lastSuccessMs }) => !backupJobs.has(job) && now() - (lastSuccessMs ?? startedAtMs) > jobAgeMsMax)
    .map(({ job }) => job)
}

function backupIssues(backup: BackupTimes | 'unreadable', { now, startedAtMs }: CheckedFacts): string[] {
  if (backup === 'unreadable') return [text.backupFolder]
  const { reachedMs = startedAtMs, baseMs = startedAtMs } = backup
  return [...(now() - reachedMs > changesAgeMsMax ? [text.backupChanges] : []), ...(now() - baseMs > baseAgeMsMax ? [text.backupBase] : [])]
}
