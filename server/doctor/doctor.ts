// All checks of `npx tezi doctor`, concurrently; the outside world is passed in.
import type { Config } from '#server/config.ts'
import { checkBackups } from './backups.ts'
import { ok, runChecks, type Check, type CheckResult } from './check.ts'
import { clockResult, type ClockReading } from './clock.ts'
import { checkDatabase } from './database.ts'
import { checkFiles } from './files.ts'
import { diskFacts, memoryFacts, openFilesMax } from './machine-facts.ts'
import { diskResult, memoryResult, openFilesResult, userResult } from './machine.ts'
import { checkPort } from './ports.ts'
import { checkPublicUrl, type PublicUrlOptions } from './public-url.ts'
import { checkMail, checkRedis, type Verify } from './services.ts'
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
  /** The folder of backups; undefined if none is configured. */
  readonly backupDir: string | undefined
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

/** Runs every check; takes little longer than `timeoutMs`, and changes nothing but a listening port for a moment. */
export async function doctor(deps: DoctorDeps): Promise<CheckResult[]> {
  const { config, now, timeoutMs } = deps
  const readings: ClockReading[] = []
  const withReadings = (report: { results: readonly CheckResult[]; readings: readonly ClockReading[] }): readonly CheckResult[] => {
    readings.push(...report.readings)
    return report.results
  }
  const origin = config.publicOrigin
  const metrics = config.metrics
  const { backupDir, verifyRedis } = deps
  const checks: Check[] = [
    { name: 'settings', run: () => Promise.resolve(settingsResults(config)) },
    { name: 'user', run: () => Promise.resolve([userResult(deps.uid)]) },
    {
      name: 'data folder',
      run: () =>
        checkFiles({
          dataDir: config.dataDir,
          uid: deps.uid,
          hasSecretKey: config.secretKey !== undefined,
          settingsFile: deps.settingsFile,
        }),
    },
    {
      name: 'disk',
      run: async () => {
        const { folder, facts } = await diskFacts(config.dataDir)
        return [diskResult(folder, facts)]
      },
    },
    { name: 'memory', run: () => Promise.resolve([memoryResult(memoryFacts())]) },
    { name: 'open files', run: async () => [openFilesResult(await openFilesMax())] },
    { name: 'PORT', run: async (signal) => [await checkPort({ name: 'PORT', host: config.host, port: config.port }, signal)] },
    ...(metrics === undefined
      ? []
      : [{ name: 'METRICS_PORT', run: async (signal: AbortSignal) => [await checkPort({ name: 'METRICS_PORT', ...metrics }, signal)] }]),
    { name: 'database', run: async () => withReadings(await databaseReport(deps)) },
    ...(backupDir === undefined ? [] : [{ name: 'backup', run: async () => [await checkBackups(backupDir, now())] }]),
    ...(verifyRedis === undefined ? [] : [{ name: 'redis', run: async (signal: AbortSignal) => [await checkRedis(verifyRedis, signal)] }]),
    ...(origin === undefined
      ? []
      : [
          {
            name: 'public address',
            run: async (signal: AbortSignal) => withReadings(await checkPublicUrl({ origin, now, ...deps.publicUrl }, signal)),
          },
        ]),
    { name: 'mail', run: async (signal) => [await checkMail(deps.verifyMail, signal)] },
    { name: 'sources', run: async (signal) => withReadings(await checkSources({ market: config.market, hosts: deps.hosts, now }, signal)) },
  ]
  const results = await runChecks(checks, timeoutMs)
  return [...results, clockResult(readings)]
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
