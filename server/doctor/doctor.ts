// All checks of `npx tezi doctor`: first those of this machine, then those of other servers; the outside world is passed in.
import type { Config } from '#server/config/config.ts'
import { checkBackupFolder, checkBackups, checkErasures, checkPgbackrest, type Backups } from './backups.ts'
import { ok, runChecks, type Check, type CheckResult } from './check.ts'
import { clockResult, type ClockReading } from './clock.ts'
import { checkDatabase } from './database.ts'
import { engineResult } from './engine.ts'
import { checkFiles } from './files.ts'
import { diskFacts, memoryFacts, openFilesMax } from './machine-facts.ts'
import { diskResult, memoryResult, openFilesResult, userResult } from './machine.ts'
import { checkPort } from './ports.ts'
import { checkPublicUrl, type PublicUrlOptions } from './public-url.ts'
import { checkMail, checkRedis, type Verify } from './services.ts'
import { checkReplica, type ReplicaIssue } from './replica.ts'
import { settingsResults } from './settings.ts'
import { checkSources, type SourceHosts } from './sources.ts'

export interface DoctorDeps {
  readonly config: Config
  /** The file that settings were read from. */
  readonly settingsFile: string | undefined
  /** Address of the database; undefined if the embedded one does not run. */
  readonly databaseUrl: string | undefined
  /** Effective user id; undefined on systems without user ids. */
  readonly uid: number | undefined
  /** Undefined if none are configured. */
  readonly backups: Backups | undefined
  /** Undefined without DATABASE_REPLICA_URL. */
  readonly replicaIssue: ReplicaIssue | undefined
  readonly hosts: SourceHosts
  readonly verifyMail: Verify | undefined
  readonly verifyRedis: Verify | undefined
  /** Wall clock, epoch milliseconds. */
  readonly now: () => number
  /** Trust and name lookup for the public address other than those of Node. */
  readonly publicUrl?: Pick<PublicUrlOptions, 'ca' | 'lookup'>
  /** Limit of each check. */
  readonly timeoutMs: number
}

/**
 * Runs every check, and changes nothing but a listening port for a moment. The checks of this machine end before the others
 * begin: name lookups without an answer occupy all threads that read files.
 */
export async function doctor(deps: DoctorDeps): Promise<CheckResult[]> {
  const readings: ClockReading[] = []
  const here = await runChecks(machineChecks(deps), deps.timeoutMs)
  const outside = await runChecks(networkChecks(deps, readings), deps.timeoutMs)
  return [...here, ...outside, clockResult(readings)]
}

function machineChecks({ config, uid, settingsFile, backups, now }: DoctorDeps): Check[] {
  const { dataDir, host, port, metrics, databaseUrl, erasuresFile, pgbackrestInfo } = config
  const files = { dataDir, uid, hasSecretKey: config.secretKey !== undefined, settingsFile }
  return [
    { name: 'settings', run: () => Promise.resolve(settingsResults(config)) },
    { name: 'user', run: () => Promise.resolve([userResult(uid)]) },
    { name: 'data folder', run: () => checkFiles(files) },
    {
      name: 'disk',
      run: async () => {
        const { folder, facts } = await diskFacts(dataDir)
        return [diskResult(folder, facts)]
      },
    },
    { name: 'memory', run: () => Promise.resolve([memoryResult(memoryFacts())]) },
    { name: 'open files', run: async () => [openFilesResult(await openFilesMax())] },
    ...(databaseUrl === undefined
      ? [{ name: 'engine', run: () => Promise.resolve([engineResult(now())]) }]
      : [{ name: 'erasures', run: async () => [await checkErasures(erasuresFile)] }]),
    ...(pgbackrestInfo === undefined ? [] : [{ name: 'backup', run: async () => [await checkPgbackrest(pgbackrestInfo, now())] }]),
    { name: 'PORT', run: async (signal) => [await checkPort({ name: 'PORT', host, port }, signal)] },
    ...(metrics === undefined
      ? []
      : [{ name: 'METRICS_PORT', run: async (signal: AbortSignal) => [await checkPort({ name: 'METRICS_PORT', ...metrics }, signal)] }]),
    ...(backups === undefined
      ? []
      : [
          { name: 'backup', run: async () => [await checkBackups(backups, now())] },
          { name: 'backup folder', run: async () => [await checkBackupFolder(backups)] },
        ]),
  ]
}

/** @param readings receives the clocks of the servers that answer */
function networkChecks(deps: DoctorDeps, readings: ClockReading[]): Check[] {
  const { config, now, replicaIssue, verifyMail, verifyRedis } = deps
  const origin = config.publicOrigin
  const withReadings = (report: { results: readonly CheckResult[]; readings: readonly ClockReading[] }): readonly CheckResult[] => {
    readings.push(...report.readings)
    return report.results
  }
  return [
    { name: 'database', run: async () => withReadings(await databaseReport(deps)) },
    ...(replicaIssue === undefined ? [] : [{ name: 'replica', run: async () => [await checkReplica(replicaIssue)] }]),
    ...(verifyRedis === undefined ? [] : [{ name: 'redis', run: async (signal: AbortSignal) => [await checkRedis(verifyRedis, signal)] }]),
    ...(origin === undefined
      ? []
      : [
          {
            name: 'public address',
            run: async (signal: AbortSignal) => withReadings(await checkPublicUrl({ origin, now, ...deps.publicUrl }, signal)),
          },
        ]),
    { name: 'mail', run: async (signal) => [await checkMail(verifyMail, signal)] },
    { name: 'sources', run: async (signal) => withReadings(await checkSources({ market: config.market, hosts: deps.hosts, now }, signal)) },
  ]
}

async function databaseReport({ config, databaseUrl, now, timeoutMs }: DoctorDeps): ReturnType<typeof checkDatabase> {
  if (databaseUrl === undefined)
    return { results: [ok('database', 'the embedded one starts and stops with Tezi, which is not running')], readings: [] }
  // Less than the check's own limit, so that its message says what is wrong.
  const options = { connectionString: databaseUrl, poolSize: config.database.size, now, timeoutMs: timeoutMs * 0.8 }
  const report = await checkDatabase(options)
  // The embedded one has the clock of this machine.
  return config.databaseUrl === undefined ? { ...report, readings: [] } : report
}
