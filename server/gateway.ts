// The market data hub as a separate process, for all web processes over Redis; listens for monitoring only.
import type { Config } from './config/config.ts'
import { ConfigError } from './config/environment.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './open-database.ts'
import { lineLog, openLogs, standardOutput } from './logs.ts'
import { openMarket } from './open-market.ts'
import { databaseReaders, openMonitoring } from './open-monitoring.ts'
import { failureLog } from './outages/outage-error.ts'
import { processReadiness } from './open-system-status.ts'
import { readConfigOrExit, runUntilSignal } from './run-until-signal.ts'

const config = readConfigOrExit()
const logs = openLogs(config.log, standardOutput())

async function start(config: Config): Promise<() => Promise<void>> {
  const { databaseUrl } = config
  if (config.redisUrl === undefined || databaseUrl === undefined)
    throw new ConfigError('REDIS_URL and DATABASE_URL: the gateway shares both with the web processes, so it needs them')
  for (const line of config.unknownVariables) logs('server').warn(line)
  const opened = new AsyncDisposableStack()
  const stop = () => opened.disposeAsync()
  try {
    const onError = failureLog(logs('jobs'))
    const monitoring = await openMonitoring({ config, onError, opened })
    const note = (line: string, level: 'info' | 'warn' | 'error' = 'info') => logs('database')[level](line)
    const database = await openDatabase({ dataDir: config.dataDir, log: note, limits: config.database, databaseUrl })
    opened.defer(() => database.close())
    await migrate(database, note)
    monitoring?.metrics.read(databaseReaders(database))
    const market = await openMarket({
      config: { ...config, market: { ...config.market, hasHub: true } },
      db: database.db,
      log: lineLog(logs('market')),
      onError,
      opened,
      metrics: monitoring?.metrics,
    })
    opened.defer(() => market.bus.close())
    monitoring?.setReadiness(processReadiness('gateway', { database, market, onError }))
    const metricsLine = monitoring === undefined ? '' : `  Metrics: ${monitoring.url}\n`
    process.stdout.write(`\n  The market gateway is ready\n${metricsLine}\n`)
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

runUntilSignal(() => start(config), logs('server'), 15_000)
