// `npx tezi doctor`: checks this machine and its configuration, and says what to do.
import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readConfig, type Config } from '#server/config/config.ts'
import { ConfigError, readProcessEnvironment } from '#server/config/environment.ts'
import { isOnSameDisk, listArchives } from '#server/backup/backup-folder.ts'
import { readBackupState } from '#server/backup/backup-state.ts'
import { addressFile } from '#server/engine/open-embedded-server.ts'
import { replicaIssue } from '#server/db/open-replica.ts'
import type { Backups } from '#server/doctor/check-backups.ts'
import { failed, type CheckResult } from '#server/doctor/check.ts'
import { doctor, type DoctorDeps } from '#server/doctor/doctor.ts'
import type { SourceHosts } from '#server/doctor/check-sources.ts'
import { binanceHosts } from '#server/features/market-data/feeds/binance-feed.ts'
import { coinbaseHosts } from '#server/features/market-data/feeds/coinbase-feed.ts'
import { kiteHosts } from '#server/features/market-data/feeds/kite-feed.ts'
import { krakenHosts } from '#server/features/market-data/feeds/kraken-feed.ts'
import { openAlgoHosts } from '#server/features/market-data/feeds/openalgo-feed.ts'
import { twelveDataHosts } from '#server/features/market-data/feeds/twelve-data-feed.ts'
import { yahooUrl } from '#server/features/market-data/feeds/yahoo-feed.ts'
import { verifySmtp } from '#server/mail/smtp-mailer.ts'
import { goThroughProxy } from '#server/outbound/proxy.ts'
import { openRedis } from '#server/outages/open-redis.ts'

const timeoutMs = 10_000

const hosts: SourceHosts = {
  binance: binanceHosts.restUrl,
  coinbase: coinbaseHosts.restUrl,
  kite: kiteHosts.restUrl,
  kraken: krakenHosts.restUrl,
  openalgo: openAlgoHosts.restUrl,
  'twelve-data': twelveDataHosts.restUrl,
  yahoo: yahooUrl,
}

export async function runDoctor(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } })
  // Before the first lookup: the C library waits 20 seconds for name servers that do not answer, and the process with it.
  process.env['RES_OPTIONS'] ??= 'timeout:1 attempts:2'
  const results = await allResults()
  const isFailed = results.some(({ status }) => status === 'failed')
  if (values.json) console.log(JSON.stringify({ ok: !isFailed, results }, null, 2))
  else console.log(textOf(results))
  if (isFailed) process.exitCode = 1
}

async function allResults(): Promise<readonly CheckResult[]> {
  let config: Config
  let settingsFile: string | undefined
  try {
    const environment = readProcessEnvironment()
    settingsFile = environment.file
    config = readConfig(environment.values)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split('\n').map((line) => failed('settings', line, 'Correct it; the other checks need valid settings.'))
  }
  goThroughProxy(config.proxy)
  return doctor({
    config,
    settingsFile,
    databaseUrl: config.databaseUrl ?? embeddedAddress(config.dataDir),
    uid: process.geteuid?.(),
    backups: backupsOf(config),
    replicaIssue: replicaOf(config),
    hosts,
    verifyMail: mailOf(config),
    verifyRedis: redisOf(config.redisUrl),
    now: Date.now,
    timeoutMs,
  })
}

/** The embedded database is not started for a check; its server publishes the address while it runs. */
function embeddedAddress(dataDir: string): string | undefined {
  const file = addressFile(dataDir)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function backupsOf({ backup, databaseUrl, dataDir }: Config): Backups | undefined {
  // A warning says that BACKUP_DIR has no effect then.
  if (backup === undefined || databaseUrl !== undefined) return undefined
  const { dir } = backup
  return {
    dir,
    read: () => readBackupState(backup),
    folder: async () => ({
      isOnSameDisk: await isOnSameDisk(dir, dataDir),
      systems: new Set((await listArchives(dir)).map(({ systemId }) => systemId)).size,
    }),
  }
}

function replicaOf({ databaseUrl, databaseReplicaUrl: replicaUrl }: Config): DoctorDeps['replicaIssue'] {
  if (databaseUrl === undefined || replicaUrl === undefined) return undefined
  return () => replicaIssue({ databaseUrl, replicaUrl, timeoutMs: timeoutMs * 0.8 })
}

function mailOf({ smtpUrl, isSmtpTlsOptional: isTlsOptional, proxy }: Config): (() => Promise<void>) | undefined {
  return smtpUrl === undefined ? undefined : () => verifySmtp({ smtpUrl, isTlsOptional, proxy, timeoutMs: timeoutMs * 0.8 })
}

function redisOf(url: string | undefined): (() => Promise<void>) | undefined {
  if (url === undefined) return undefined
  return async () => {
    const redis = openRedis(url, {
      lazyConnect: true,
      connectTimeout: timeoutMs * 0.8,
      commandTimeout: timeoutMs * 0.8,
      retryStrategy: () => null,
    })
    // The reason of a failed connection; the rejected call only says that it is closed.
    let reason: Error | undefined
    redis.on('error', (error: Error) => (reason = error))
    try {
      await redis.connect()
      await redis.ping()
    } catch (error) {
      throw reason ?? error
    } finally {
      redis.disconnect()
    }
  }
}

const marks = { ok: 'ok     ', warning: 'WARNING', failed: 'FAILED ' } as const

function textOf(results: readonly CheckResult[]): string {
  const width = Math.max(...results.map(({ name }) => name.length))
  const lines = results.flatMap(({ name, status, message, action }) => [
    `${marks[status]}  ${name.padEnd(width)}  ${message}`,
    ...(action === undefined ? [] : [`         ${''.padEnd(width)}  → ${action}`]),
  ])
  const count = (status: CheckResult['status']): number => results.filter((result) => result.status === status).length
  return [...lines, '', `${count('failed')} failed, ${count('warning')} warnings, ${count('ok')} ok`].join('\n')
}
