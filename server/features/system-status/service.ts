// The system status: facts of this process, and what is failing.
import type { SystemStatus } from '#shared/system-status/contract.ts'
import type { SystemCheck } from '#shared/system-status/system-check.ts'
import { checksOf } from './checks.ts'
import type { BackupTimes, MailCounts, SystemFacts } from './system-facts.ts'

/** Without the sockets, which only the HTTP app knows. */
export type ProcessStatus = Omit<SystemStatus, 'live'>

export interface SystemStatusService {
  read(): Promise<ProcessStatus>
  checks(): Promise<readonly SystemCheck[]>
}

/** A network share that hangs counts as unreadable. */
const backupTimeoutMs = 2_000

export function systemStatusService(facts: SystemFacts): SystemStatusService {
  async function gather() {
    const [missing, backup] = await Promise.all([facts.missing(), facts.backup === undefined ? undefined : readBackup(facts.backup)])
    return { missing, backup, checks: checksOf({ ...facts, missing, backup }) }
  }
  return {
    checks: async () => (await gather()).checks,
    async read() {
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
        mails: facts.mails === undefined ? null : mailCounts(facts.mails),
        backup: backup === undefined || backup === 'unreadable' ? null : backupMoments(backup),
        alerts: facts.alerts,
      }
    },
  }
}

const mailCounts = ({ sent, failed, underWay }: MailCounts) => ({ sent, failed, underWay })

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
