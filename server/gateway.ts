// The market data as a process of its own: makes them for all web processes, over Redis, and listens to nobody else.
import { pino } from 'pino'
import { ConfigError, readProcessConfig, type Config } from './config.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open-database.ts'
import { logOptions } from './log.ts'
import { openMarket } from './open-market.ts'
import { failureLog } from './outage.ts'
import { runUntilSignal } from './run-until-signal.ts'

const log = pino(logOptions)

async function start(config: Config): Promise<() => Promise<void>> {
  const { databaseUrl } = config
  if (config.redisUrl === undefined || databaseUrl === undefined)
    throw new ConfigError('REDIS_URL and DATABASE_URL: the gateway shares both with the web processes, so it needs them')
  for (const line of config.unknownVariables) log.warn(line)
  const opened = new AsyncDisposableStack()
  const stop = () => opened.disposeAsync()
  try {
    const note = (line: string, level: 'info' | 'warn' | 'error' = 'info') => log[level](line)
    const database = await openDatabase({ dataDir: config.dataDir, log: note, limits: config.database, databaseUrl })
    opened.defer(() => database.close())
    await migrate(database, note)
    const onError = failureLog(log)
    const market = await openMarket({
      config: { ...config, market: { ...config.market, hasHub: true } },
      db: database.db,
      log: (line, details) => log.info({ ...details }, line),
      onError,
      opened,
    })
    opened.defer(() => market.bus.close())
    process.stdout.write('\n  The market gateway is ready\n\n')
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

runUntilSignal(() => start(readProcessConfig()), { log, graceMs: () => 15_000 })
