// All checks of `npx tezi doctor`: first those of this machine, then those of other servers; the outside world is passed in.
import type { Config } from '#server/config/config.ts'
import { checkBackupFolder, checkBackups, checkErasures, checkPgbackrest, type Backups } from './check-backups.ts'
import { failed, ok, runChecks, warning, type Check, type CheckResult } from './check.ts'
import { clockResult, type CheckReport, type ClockReading } from './clock-reading.ts'
import { checkDatabase, engineResult, checkReplica, type ReplicaIssue } from './check-database.ts'
import { checkPort } from './check-port.ts'
import { machineChecks } from './machine-checks.ts'
import { checkPublicUrl, type PublicUrlOptions } from './check-public-url.ts'
import { checkSources, type SourceHosts } from './check-sources.ts'

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
  const here = await runChecks(localChecks(deps), deps.timeoutMs)
  const outside = await runChecks(networkChecks(deps, readings), deps.timeoutMs)
  return [...here, ...outside, clockResult(readings)]
}

function localChecks({ config, uid, settingsFile, backups, now }: DoctorDeps): Check[] {
  const { dataDir, host, port, metrics, databaseUrl, erasuresFile, pgbackrestInfo } = config
  return [
    { name: 'settings', run: () => Promise.resolve(settingsResults(config)) },
    ...machineChecks({ dataDir, uid, hasSecretKey: config.secretKey !== undefined, settingsFile }),
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
  const withReadings = (report: CheckReport): readonly CheckResult[] => {
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

async function databaseReport({ config, databaseUrl, now, timeoutMs }: DoctorDeps): Promise<CheckReport> {
  if (databaseUrl === undefined)
    return { results: [ok('database', 'the embedded one starts and stops with Tezi, which is not running')], readings: [] }
  // Less than the check's own limit, so that its message says what is wrong.
  const options = { connectionString: databaseUrl, poolSize: config.database.size, now, timeoutMs: timeoutMs * 0.8 }
  const report = await checkDatabase(options)
  // The embedded one has the clock of this machine.
  return config.databaseUrl === undefined ? { ...report, readings: [] } : report
}

/** A call that resolves if the server accepts us. Its errors must not contain passwords. */
export type Verify = (signal: AbortSignal) => Promise<void>

/** @param verify connects and signs in to the mail server; undefined without `SMTP_URL` */
export async function checkMail(verify: Verify | undefined, signal: AbortSignal): Promise<CheckResult> {
  const name = 'mail'
  if (verify === undefined)
    return warning(name, 'SMTP_URL is not set: users cannot reset passwords by mail', 'Set SMTP_URL: docs/operating/configuration.md')
  try {
    await verify(signal)
    return ok(name, 'the mail server accepts the connection and the sign-in')
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    return failed(name, `the mail server refuses: ${found}`, 'Correct SMTP_URL. Many hosts block port 25: use 465 or 587.')
  }
}

/** @param verify sends PING */
export async function checkRedis(verify: Verify, signal: AbortSignal): Promise<CheckResult> {
  const name = 'redis'
  try {
    await verify(signal)
    return ok(name, 'answers')
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    return failed(name, `does not answer: ${found}`, 'Is Redis or Valkey running, and is REDIS_URL right?')
  }
}

const page = 'docs/operating/configuration.md'

type CheckedConfig = Pick<Config, 'isProduction' | 'publicOrigin' | 'trustedProxies' | 'warnings' | 'unknownVariables'>

/** Results for the mode, the proxy and every unsafe or misspelt setting. */
export function settingsResults(config: CheckedConfig): CheckResult[] {
  const isPublic = config.publicOrigin?.startsWith('https:') === true
  const lines = [...config.warnings, ...config.unknownVariables]
  return [
    modeResult(config.isProduction, isPublic),
    ...(isPublic && config.trustedProxies.length === 0
      ? [
          warning(
            'proxy',
            'TRUSTED_PROXIES is not set: all visitors share one address and its rate limits',
            `Set it to the address of the reverse proxy, for example 127.0.0.1: ${page}`,
          ),
        ]
      : []),
    ...(lines.length === 0 ? [ok('settings', 'valid')] : lines.map((line) => warning('settings', line, `Correct it: ${page}`))),
  ]
}

function modeResult(isProduction: boolean, isPublic: boolean): CheckResult {
  if (isProduction) return ok('mode', 'NODE_ENV=production')
  const found = 'NODE_ENV is not production: demo prices, cheap settings and admins without a second factor are possible'
  return (isPublic ? failed : warning)('mode', found, 'Set NODE_ENV=production for a public site.')
}
